// The shim: a POSIX sh script that hands one event to the resident server, or decides in its own process.
// Invariant: it prints one whole JSON object; if nobody answers in time, the refusal of the protecting gates with the
// repair.
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../hook/server-address.js";
import { always, protocol, spoolFolder } from "../hook/spool-protocol.js";
import { unjudged } from "../hook/unjudged.js";
import { namedInShim } from "../hosts/claude-code/install/own-entries.js";
import { hostEvent, registeredEvents } from "../hosts/claude-code/protocol/events.js";
import { limits } from "../model/limits.js";
import { singleQuote } from "../model/shell-quote.js";
import { readBoundedText } from "../project/bounded-read.js";
import { replaceFile } from "../project/replace-file.js";

export interface ShimParts {
  home: string;
  node: string;
  script: string;
  /** Variables that travel with the event. */
  env: readonly string[];
}

const seconds = Array.from({ length: (limits.spoolAnswer - limits.spoolTaken) / 1_000 }, (_, i) => i + 1).join(" ");

export const shimPath = (home: string): string => join(home, "bin", "interlock.sh");

export function writeShim(parts: ShimParts): string {
  const path = shimPath(parts.home);
  makeFolder(join(parts.home, "bin"));
  replaceFile(path, shimText(parts), 0o700);
  chmodSync(path, 0o700);
  return path;
}

/**
 * What differs from the shim this version would write, in sentences. It may start any Node and any copy of the program,
 * as long as they exist.
 */
export function shimDrift(home: string, variables: readonly string[]): string[] {
  const path = shimPath(home);
  if (!existsSync(path)) return [`${path} is gone`];
  const text = readBoundedText(path, 1 << 20);
  const [node = "", script = ""] = [namedInShim(text, "node"), namedInShim(text, "script")];
  if (text !== shimText({ home, node, script, env: [...always, ...variables] }))
    return [`${path} is not as this version writes it`];
  return [node, script].filter((file) => !existsSync(file)).map((file) => `${path} starts ${file}, which is gone`);
}

/** Every process costs the agent a millisecond: it starts only `mkfifo`, `cat` and `sleep`. */
export function shimText({ home, node, script, env }: ShimParts): string {
  const why = "neither Interlock's server nor a process of its own answered in time";
  const closed = registeredEvents.filter((event) => hostEvent(event).failClosed);
  const last = closed.map(
    (event) => `    ${event}) printf '%s' ${singleQuote(unjudged(event, why, "interlock/shim"))} ;;`,
  );
  return `#!/bin/sh
# Interlock's hook, written by interlock init. One event on stdin, one answer on stdout.
# It asks the resident server; where none answers it decides in a process of its own; where that fails it refuses.
node=${singleQuote(node)}
script=${singleQuote(script)}
home=${singleQuote(home)}
spool=${singleQuote(spoolFolder(home))}
event=\${4-}
ask=$spool/$$.q
reply=$spool/$$.a
taken=no
umask 077
set -C
exec 2>/dev/null
case :\${PATH-}: in
  *:/bin:*) ;;
  *) PATH=\${PATH:+$PATH:}/usr/bin:/bin; export PATH ;;
esac

whole() {
  case $1 in
    '{'*'}') printf '%s' "$1"; exit 0 ;;
  esac
}

# The variables gates ask for; one with a line break in it cannot travel that way.
variables() {
  for name in ${env.join(" ")}; do
    eval "given=\\\${$name+yes} value=\\\${$name-}"
    [ "$given" ] || continue
    case $value in
      *'
'*) return 1 ;;
    esac
    printf '%s=%s\\n' "$name" "$value" || return
  done
}

# A request is a file of its own, complete once the place for the answer exists. If it exists already or cannot be
# written, stdin stays unread.
request() {
  printf 'interlock ${protocol} %s 4\\n' "$event" && variables && printf '\\n' && taken=yes && cat
}

# The server unlinks a request it takes and answers with one line. A request nobody took is withdrawn together with the
# bell, so that the next hook does not wait; a living server makes another bell. A sleep that holds the reply open makes
# the read wait: an answer is taken the moment it comes, and the server is looked at once a second.
served() {
  printf '%s\\n' "$$" 1<>"$spool/bell"
  sleep ${limits.spoolTaken / 1_000} >&3 &
  watch=$!
  exec 3>&-
  IFS= read -r answer <&4 && { kill "$watch"; whole "$answer"; return; }
  rm "$ask" && { rm -f "$spool/bell"; return; }
  for second in ${seconds}; do
    [ ! -p "$reply" ] || sleep 1 >"$reply" &
    watch=$!
    IFS= read -r answer <&4 && { kill "$watch"; rm -f "$reply"; whole "$answer"; return; }
    kill -0 "$server" || { IFS= read -r server <"$spool/server" && kill -0 "$server"; } || return
  done
}

by_server() {
  [ -p "$spool/bell" ] && IFS= read -r server <"$spool/server" || return
  case $server in ''|*[!0-9]*) return ;; esac
  kill -0 "$server" && [ ! -e "$reply" ] || return
  request >"$ask" && mkfifo "$reply" && {
    served
    rm -f "$reply"
    while IFS= read -r line <&5 && [ "$line" ]; do :; done
    by_itself
  } 3<>"$reply" 4<"$reply" 5<"$ask"
  rm -f "$ask" "$reply"
}

# Decides in a process of its own, which also starts the server again, and ends it if it takes too long. The exit code
# is appended to the answer: ksh reports the end of the timer as its own, and mksh delays signals while it sleeps.
by_itself() {
  answer=$(
    "$node" "$script" hook claude-code --event "$event" --home "$home" --alone yes <&5 &
    own=$!
    ( exec >/dev/null; sleep ${limits.shimAlone / 1_000} && kill -9 "$own" ) &
    watch=$!
    wait "$own"
    code=$?
    kill -9 "$watch"
    printf ':%s' "$code"
  )
  case $answer in
    *:0) whole "\${answer%:0}" ;;
  esac
}

by_server
[ "$taken" = yes ] || by_itself 5<&0
case $event in
${last.join("\n")}
    *) printf '%s' ${singleQuote(unjudged("Notification", why))} ;;
esac
exit 0
`;
}

// The shim: a POSIX sh program that hands one event to the resident server and, where none answers, decides in a process of its own.
// Invariant: it prints one whole JSON object or, when neither answered in time, the refusal of the protecting gates with the repair.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { unjudged } from "../doors/answer.js";
import { type Door, makeFolder, protocol } from "../doors/door.js";
import { replaceFile } from "../files/replace.js";
import { hostEvent, registeredEvents } from "../hosts/claude-code/events.js";

export interface ShimParts {
  home: string;
  door: Door;
  node: string;
  script: string;
  /** Variables that travel with the event. */
  env: readonly string[];
}

/** Seconds for the server, then for the process of its own: together below the host's limit. */
const serverSeconds = 10;
const ownSeconds = 15;

export const shimPath = (home: string): string => join(home, "bin", "interlock.sh");

export function writeShim(parts: ShimParts): string {
  const path = shimPath(parts.home);
  makeFolder(join(parts.home, "bin"));
  replaceFile(path, shimText(parts), 0o700);
  chmodSync(path, 0o700);
  return path;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function shimText({ home, door, node, script, env }: ShimParts): string {
  const why = "neither its server nor its program answered; the user can run: interlock doctor --fix";
  const closed = registeredEvents.filter((event) => hostEvent(event).failClosed);
  const last = closed.map((event) => `    ${event}) printf '%s' ${quote(unjudged(event, why))} ;;`);
  return `#!/bin/sh
# Interlock's hook, written by interlock init. One event on stdin, one answer on stdout.
# It asks the resident server; where none answers it decides in a process of its own; where that fails it refuses.
node=${quote(node)}
script=${quote(script)}
home=${quote(home)}
socket=${quote(door.socket)}
event=\${4-}
payload=$(cat 2>/dev/null)

whole() {
  case $1 in
    '{'*'}') printf '%s' "$1"; exit 0 ;;
  esac
}

# The variables gates ask for, as headers; one with a line break in it cannot travel that way.
break='
'
return='\r'
plain=yes
headers=
set --
for name in ${env.join(" ")}; do
  eval "value=\\\${$name-}"
  case $value in
    '') continue ;;
    *"$break"*|*"$return"*) plain=no ;;
  esac
  headers="$headers$name "
  set -- "$@" -H "x-interlock-env-$name: $value"
done

# The answer's length is announced before it; what is shorter or longer is not an answer.
by_nc() (
  LC_ALL=C
  {
    printf 'POST /hook/claude-code/%s HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n' "$event"
    printf 'Content-Type: application/json\\r\\nx-interlock-protocol: ${protocol}\\r\\n'
    for name in $headers; do
      eval "value=\\\${$name-}"
      printf 'x-interlock-env-%s: %s\\r\\n' "$name" "$value"
    done
    printf 'Content-Length: %s\\r\\n\\r\\n%s' "\${#payload}" "$payload"
  } | nc -U -w ${serverSeconds} "$socket" 2>/dev/null | {
    IFS= read -r status || exit 1
    case $status in 'HTTP/1.1 200 '*) ;; *) exit 1 ;; esac
    length=
    while IFS= read -r line; do
      line=\${line%"$return"}
      case $line in
        '') break ;;
        [Cc]ontent-[Ll]ength:*) length=\${line##*[!0-9]} ;;
      esac
    done
    body=$(cat)
    [ "\${#body}" = "$length" ] || exit 1
    printf '%s' "$body"
  }
)

# In a process of its own, which also starts the server again; ended when it takes too long.
by_itself() {
  printf '%s' "$payload" | {
    exec 3<&0
    "$node" "$script" hook claude-code --event "$event" --home "$home" <&3 &
    own=$!
    exec 3<&-
    (sleep ${ownSeconds} && kill -9 "$own") >/dev/null 2>&1 &
    watch=$!
    wait "$own"
    code=$?
    kill "$watch" 2>/dev/null
    exit "$code"
  }
}

if [ "$plain" = yes ] && [ -S "$socket" ]; then
  if command -v curl >/dev/null 2>&1; then
    answer=$(curl -q -s -f --noproxy '*' --unix-socket "$socket" --connect-timeout 2 --max-time ${serverSeconds} \\
      -H 'Content-Type: application/json' -H 'Expect:' -H 'x-interlock-protocol: ${protocol}' "$@" \\
      --data-binary @- "http://localhost/hook/claude-code/$event" 2>/dev/null <<EVENT
$payload
EVENT
    ) && whole "$answer"
  elif command -v nc >/dev/null 2>&1; then
    answer=$(by_nc) && whole "$answer"
  fi
fi
answer=$(by_itself 2>/dev/null) && whole "$answer"
case $event in
${last.join("\n")}
    *) printf '%s' ${quote(unjudged("Notification", why))} ;;
esac
exit 0
`;
}

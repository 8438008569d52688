// The text of tools/smoke-run: proves in a throw-away folder, without an agent, that runs, rules and requests work.

/** Sets $interlock: what INTERLOCK names, the one on PATH, or the project's own. */
export const findInterlock = `interlock=\${INTERLOCK:-interlock}
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
has() { command -v "\${interlock%% *}" >/dev/null 2>&1; }
has || interlock=$here/node_modules/.bin/interlock
has || { echo "interlock is not on PATH. Install it: npm install -g agent-interlock" >&2; exit 127; }`;

export const smokeRun = `#!/bin/sh
# Proves without an agent that runs, rules, requests and checks work: in a throw-away folder, with a script as runtime.
# INTERLOCK: the command to test (interlock).
set -eu
${findInterlock}
interlock() { command $interlock "$@"; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
HOME="$folder/home"; export HOME
mkdir -p home work/docs work/tests work/src work/specs
cd work
git init -q -b work .
unset RUN_ID TDD_PHASE EXP_PHASE MATH_PHASE || true

ok() { echo "ok $1"; }
fail() { echo "FAILED $1" >&2; exit 1; }
check() {
  what=$1; shift
  if "$@" >"$folder/said" 2>&1; then ok "$what"; else tail -n 15 "$folder/said" >&2; fail "$what"; fi
}
field() { sed -n "s/^ *\\"$1\\": \\"\\([^\\"]*\\)\\".*/\\1/p" | head -n 1; }

cat > agent.sh <<'AGENT'
cat > /dev/null
case "\${TDD_PHASE:-}\${MATH_PHASE:-}" in
  red) echo 'grep -q done src/feature.txt' > tests/feature.test.sh ;;
  green) echo done > src/feature.txt ;;
esac
echo '===CAPSULE==='
echo 'Goal: smoke run'
echo 'What happened: the script did its phase'
echo 'Current status: done'
echo 'Next action requested (exactly one): none'
echo 'Evidence pointers: src/feature.txt'
echo 'If blocked: not blocked'
echo '===/CAPSULE==='
AGENT
echo '# Feature' > docs/feature.md
echo '# Lemma' > specs/lemma.md
: > src/feature.txt
TEST_CMD='sh tests/feature.test.sh'; export TEST_CMD
INTERLOCK_KIT_RUNTIME='sh agent.sh'; export INTERLOCK_KIT_RUNTIME

red=$(interlock kit --json tdd red docs/feature.md 2>"$folder/said") || {
  tail -n 15 "$folder/said" >&2
  fail "tdd red"
}
run=$(echo "$red" | field run_id)
ok "tdd red left failing tests, run $run"
check "tdd green makes them pass" interlock kit --json tdd green
for path in events.jsonl capsules/tdd_red.md manifests/tdd_red.json logs/tdd_red.log; do
  check "runs/$run/$path is there" test -s "runs/$run/$path"
done
check "capsules validate" interlock validate capsule 'runs/*/capsules/*.md'
check "manifests validate" interlock validate manifest --check-files 'runs/*/manifests/*.json'

hook() { interlock hook claude-code; }
payload() {
  printf '{"session_id":"smoke","cwd":"%s","hook_event_name":"PreToolUse","tool_use_id":"toolu_%s",' "$PWD" "$1"
  printf '"tool_name":"%s","tool_input":%s}' "$2" "$3"
}
denied() { grep -q '"permissionDecision":"deny"'; }
payload 1 Write "{\\"file_path\\":\\"$PWD/tests/feature.test.sh\\",\\"content\\":\\"true\\"}" |
  TDD_PHASE=green hook | denied && ok "a test is locked in green" || fail "a test is locked in green"
payload 2 Write "{\\"file_path\\":\\"$PWD/src/feature.txt\\",\\"content\\":\\"done\\"}" |
  TDD_PHASE=green hook | denied && fail "code passes in green" || ok "code passes in green"
payload 3 Write "{\\"file_path\\":\\"$PWD/experiments/e.md\\",\\"content\\":\\"x\\"}" |
  EXP_PHASE=run hook | denied && ok "a spec is frozen in run" || fail "a spec is frozen in run"
payload 4 Bash '{"command":"lake clean"}' |
  MATH_PHASE=prove hook | denied && ok "lake clean is refused" || fail "lake clean is refused"
head -c 300000 /dev/zero | tr '\\0' 'x' > big.log
payload 5 Read "{\\"file_path\\":\\"$PWD/big.log\\"}" |
  MAX_READ_BYTES=200000 hook | denied && ok "a large log is not read" || fail "a large log is not read"
payload 6 Read "{\\"file_path\\":\\"$PWD/big.log\\"}" |
  MAX_READ_BYTES=200000 READ_ALLOW_GLOBS=big.log hook | denied &&
  fail "an allowed file is read" || ok "an allowed file is read"

rq=$(interlock request math.survey specs/lemma.md --run "$run" --must-read "runs/$run/capsules/tdd_red.md" --json)
id=$(echo "$rq" | field request_id)
[ -n "$id" ] && ok "request $id" || fail "a request is written"
check "the pump runs it" interlock pump --request "$id"
check "the response is there" test -s "interop/responses/$id.json"
check "the response validates" interlock validate response "interop/responses/$id.json"
interlock run tree "$run" | grep -q "math.survey" && ok "the tree shows the child" || fail "the tree shows the child"
echo "smoke run passed"
`;

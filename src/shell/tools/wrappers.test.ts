// Programs that run the command in their arguments, through the whole analysis.
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandTable } from "../testing.js";
import { isTransparent } from "./transparent.js";
import { plainWrappers } from "./wrappers.js";

test("every wrapper of the table shows its command openly", () => {
  const names = plainWrappers.flatMap((wrapper) => wrapper.names);
  assert.deepEqual(
    names.filter((name) => !isTransparent(name)),
    [],
  );
});

commandTable("transparent wrappers", [
  ["env rm a", ["delete a"]],
  ["env -i A=1 B=2 rm a", ["delete a"]],
  ["env -u X -C d rm a", ["delete d/a"]],
  ["env --chdir=d rm a", ["delete d/a"]],
  ["env -S 'A=1 rm a' b", ["delete a", "delete b"]],
  ["env - rm a", ["delete a"]],
  ["env A=1", []],
  ["env", ["exec env !credential-read:2:environment-dump"]],
  ["printenv PATH", []],
  ["printenv API_TOKEN", ["exec printenv !credential-read:3:secret-variable"]],
  ["bwrap --bind / / --dev /dev rm a", ["delete a"]],
  ["perf stat -o p rm a", ["write p", "delete a", "exec rm"]],
  ["perf report", []],
  ["nohup rm a", ["delete a"]],
  ["timeout -k 5 -s KILL 10 rm a", ["delete a"]],
  ["timeout --preserve-status 5m rm a", ["delete a"]],
  ["nice -n 5 ionice -c 3 chrt -f 1 rm a", ["delete a"]],
  ["nice -5 rm a", ["delete a"]],
  ["stdbuf -oL -eL rm a", ["delete a"]],
  ["setsid -w rm a", ["delete a"]],
  ["taskset -c 0 rm a", ["delete a"]],
  ["time -p rm a", ["delete a"]],
  ["/usr/bin/time -f %e -o t.txt rm a", ["write t.txt", "delete a"]],
  ["command rm a", ["delete a"]],
  ["command -p rm a", ["delete a"]],
  ["command -v rm", []],
  ["builtin cd d && rm a", ["delete d/a"]],
  ["exec -a x rm a", ["delete a"]],
  ["busybox rm a", ["delete a"]],
  ["busybox sh -c 'rm a'", ["delete a"]],
  ["noglob rm a", ["delete a"]],
  ["flock l rm a", ["write l", "delete a"]],
  ["flock -n l -c 'rm a'", ["write l", "delete a"]],
  ["script -qc 'rm a' /dev/null", ["delete a"]],
  ["script log", ["write log"]],
  ["strace -f -o t rm a", ["write t", "delete a"]],
  ["systemd-run --user --scope rm a", ["delete a"]],
  ["watch -n 1 'rm a'", ["delete a", "exec rm"]],
  ["direnv exec . rm a", ["delete a"]],
  ["direnv allow", []],
  ["cross-env A=1 rm a", ["delete a"]],
  ["mise exec -- rm a", ["delete a"]],
  ["wrap rm a", ["delete a", "exec rm"], { wrappers: ["wrap"] }],
  ["wrap rm a", ["exec wrap", "unknown"]],
]);

commandTable("privilege", [
  ["sudo rm a", ["privilege", "delete a"]],
  ["sudo -u x -E A=1 rm a", ["privilege", "delete a"]],
  ["sudo -- rm a", ["privilege", "delete a"]],
  ["sudo -s <<< 'rm a'", ["privilege", "delete a"]],
  ["sudo -e a", ["privilege", "write a"]],
  ["sudo -l", ["privilege"]],
  ["doas -u x rm a", ["privilege", "delete a"]],
  ["su -c 'rm a' user", ["privilege", "delete a"]],
  ["su - user -c 'rm a'", ["privilege", "delete a"]],
  ["runuser -u x -- rm a", ["privilege", "delete a"]],
]);

commandTable("xargs", [
  ["ls | xargs rm", ["delete *", "exec rm"]],
  ["ls -A | xargs rm -rf", ["delete * recursive", "exec rm"]],
  ["ls d | xargs rm", ["delete ?", "exec rm"]],
  ["ls -d d/* | xargs rm", ["delete d/*", "exec rm"]],
  ["ls | head -1 | xargs rm", ["delete ./?", "exec rm"]],
  ["find d -print0 | xargs -0 rm -rf", ["delete d/* recursive", "exec rm"]],
  ["find d | grep x | xargs rm", ["delete d/?", "exec rm"]],
  ["echo a b | xargs rm", ["delete a", "delete b", "exec rm"]],
  ["echo a | xargs -I{} rm d/{}", ["delete d/a", "exec rm"]],
  ["echo a | xargs -i rm d/{}", ["delete d/a", "exec rm"]],
  ["echo a | xargs --replace=% rm d/%", ["delete d/a", "exec rm"]],
  ["ls | xargs -I % rm d/%", ["delete d/?", "exec rm"]],
  ["xargs -0 -n 1 -P4 rm < l", ["read l", "delete ?", "exec rm"]],
  ["xargs -a l rm", ["read l", "delete ?", "exec rm"]],
  ["ls | xargs -r -t -- rm -f", ["delete *", "exec rm"]],
  ["ls | xargs sh -c 'rm \"$@\"' _", ["delete *", "exec sh", "exec rm"]],
  ["ls | xargs echo", []],
  ["ls | xargs", []],
]);

commandTable("find", [
  ["find . -name x", []],
  ["find d -delete", ["delete d recursive"]],
  ["find d -type f -delete", ["delete d recursive"]],
  ["find d -maxdepth 1 -type f -delete", ["delete d/*"]],
  ["find d ! -name x -delete", ["delete d recursive"]],
  ["find d -path d/x -prune -o -type f -exec rm {} +", ["delete d/**/*", "exec rm"]],
  ["find d -type f -empty -delete", ["delete d/?"]],
  ["find d -name '*.o' -exec rm {} +", ["delete d/**/*.o", "exec rm"]],
  ["find d -exec rm -rf {} \\;", ["delete d/* recursive", "exec rm"]],
  ["find a b -name x -execdir touch y \\;", ["write ?", "exec touch"]],
  ["find a -name x -execdir cat {} \\;", ["read a/**/x", "exec cat"]],
  ["find . -fprint out -fprintf o2 %p", ["write out", "write o2"]],
  ["find . -name x -exec sh -c 'rm \"$1\"' _ {} \\;", ["delete **/x", "exec sh", "exec rm"]],
  ["find --zzz 5s d -delete", ["delete 5s recursive", "delete d recursive"]],
  ["find $d -delete", ["delete ? recursive", "delete . recursive"]],
  ['find "$d" -delete', ["delete ? recursive"]],
]);

commandTable("parallel, ssh and runners", [
  ["parallel rm ::: a b", ["delete a", "delete b", "exec rm"]],
  ["parallel 'rm {}' ::: a", ["delete a", "exec rm"]],
  ["ls | parallel rm", ["delete *", "exec rm"]],
  ["ssh h ls", ["network h"]],
  ["ssh -p 22 u@h 'rm -rf /'", ["network u@h", "exec ? !mass-delete:3:delete-root"]],
  ["ssh --zzz 5s h ls", ["network 5s", "network h"]],
  ["autossh -M 0 h ls", ["network h"]],
  ["mosh --ssh='rm a' h", ["network h", "delete a", "exec rm"]],
  ["ssh localhost rm a", ["delete a", "exec rm"]],
  ["ssh -o ProxyCommand='rm a' h", ["network h", "delete a", "exec rm"]],
  ["npx -y rimraf@5 a", ["delete a recursive"]],
  ["npx -c 'rm a'", ["delete a"]],
  ["poetry run rm a", ["delete a", "exec rm"]],
  ["uv run --with x rm a", ["delete a", "exec rm"]],
  ["poetry run -- rm a", ["delete a", "exec rm"]],
  ["poetry show", []],
  ["bundle exec rm a", ["delete a", "exec rm"]],
  ["nix develop -c rm a", ["delete a", "exec rm"]],
  ["nix-shell -p x --run 'rm a'", ["delete a", "exec rm"]],
]);

commandTable("shells", [
  ["bash -n s.sh", []],
  ["bash --version", []],
  ["bash -euxo pipefail -c 'rm a'", ["delete a"]],
  ["bash -O extglob -c 'rm a'", ["delete a"]],
  ["bash --rcfile f -ic 'rm a'", ["exec f", "unknown", "delete a"]],
  ["bash - s.sh", ["exec s.sh", "unknown"]],
  ["fish -c 'rm a'", ["delete a", "exec rm", "unknown"]],
  ["pwsh -Command 'rm a'", ["delete a"]],
  ["pwsh -NoProfile -ExecutionPolicy Bypass -c 'rm a'", ["delete a"]],
  ["bash --zzz 5s -c 'rm a'", ["delete a", "exec 5s", "unknown"]],
  ["pwsh --zzz 5s -c 'rm a'", ["delete a"]],
  ["sh < s.sh", ["read s.sh", "exec s.sh", "unknown"]],
  ["bash", []],
]);

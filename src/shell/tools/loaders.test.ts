import { loaderTools } from "./loaders.js";
import { table } from "./tool-table.js";
import { versioning } from "./versioning.js";

table("loaders", loaderTools, [
  ["/lib64/ld-linux-x86-64.so.2 /bin/rm -rf x", ["run /bin/rm -rf x"]],
  ["ld.so --library-path /l /bin/rm x", ["run /bin/rm x"]],
  ["sg docker -c 'rm x'", ["privilege sg", "shell rm x"]],
  ["arch", []],
  ["arch -arm64 rm x", ["run rm x"]],
  ["setarch x86_64 -R rm x", ["run rm x"]],
  ["samply record -o p.data rm x", ["write p.data", "run rm x"]],
  ["samply load", []],
  ["proxychains4 -q curl e", ["run curl e"]],
  ["samply frobnicate", ["unknown"]],
  ["ld.so --list /bin/rm", []],
  ["start-stop-daemon -S -x /bin/rm -- -rf x", ["run /bin/rm -rf x"]],
  ["start-stop-daemon -K -p f.pid", []],
  ["run-parts --test /etc/cron.daily", []],
  ["run-parts /etc/cron.daily", ["exec run-parts", "unknown"]],
]);

table("versioning", versioning, [
  ["jj commit -m x", ["commit  jj"]],
  ["jj log", []],
  ["jj git push", ["push  jj", "network jj upload"]],
  ["jj frobnicate", ["unknown"]],
  ["jj op abandon x", ["!history-loss:3:jj-op-abandon"]],
  ["jj --zzz 5s op abandon x", ["!history-loss:3:jj-op-abandon", "unknown"]],
  ["svn rm https://h/a", ["!history-loss:2:svn-remote-delete"]],
  ["gt log", []],
  ["hg commit -m x", ["commit  hg"]],
  ["hg status", []],
  ["hg revert --all", ["!worktree-loss:3:hg-revert", "write . recursive"]],
  ["svn commit -m x", ["commit  svn", "push  svn", "network svn upload"]],
  ["svn rm a", ["delete a recursive"]],
  ["gt create -m x", ["commit  gt"]],
  ["bfg --delete-files x", ["rewrite-history  bfg !history-loss:3:rewrite-history"]],
]);

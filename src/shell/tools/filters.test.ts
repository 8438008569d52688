import { commandTable } from "../testing.js";
import { filters } from "./filters.js";
import { table } from "./tool-table.js";

table("filters", filters, [
  ["sed s/a/b/ f", ["read f"]],
  ["sed -n 1,10p f g", ["read f", "read g"]],
  ["sed -i s/a/b/ f", ["read f", "write f"]],
  ["sed -i.bak s/a/b/ f", ["read f", "write f"]],
  ["sed -i '' s/a/b/ f", ["read f", "write f"]],
  ["sed --in-pl s/a/b/ f", ["read f", "write f"]],
  ["sed -e s/a/b/ -e s/c/d/ -i f g", ["read f", "write f", "read g", "write g"]],
  ["sed -Ei s/a/b/ f", ["read f", "write f"]],
  ["sed s/a/b/ f -i", ["read f", "write f"]],
  ["sed 's/a/b/w out' f", ["write out", "read f"]],
  ["sed 's/a/id/e' f", ["shell ?", "read f"]],
  ["sed '1e rm x' f", ["shell rm x", "read f"]],
  ["sed -f edit.sed f", ["script edit.sed sed", "read f"]],
  ["sed $X f", ["unknown", "unknown", "read f"]],
  ["sed --version", []],
  ["awk '{print $1}' f", ["read f"]],
  ["awk -F: '{print $1}' /etc/passwd", ["read /etc/passwd"]],
  ["awk -v x=1 '{print x}' f", ["read f"]],
  ["awk '{print > \"out\"}' f", ["write out", "read f"]],
  ["awk 'BEGIN{system(\"rm x\")}'", ["shell rm x"]],
  ["gawk -i inplace '{print}' f", ["read f", "write f"]],
  ["awk 'BEGIN{system(\"rm x\")}' --help", ["shell rm x", "read --help"]],
  ["awk -f p.awk f", ["script p.awk awk", "read f"]],
  ["awk '1' x=3 f", ["read f"]],
  ["gawk -o '{print}'", ["write awkprof.out"]],
  ["mawk -W version", []],
]);

commandTable("line numbers in a sed script", [
  ['sed -n "$((n+1)),$((n+5))p" f', ["read f"]],
  ['sed -n "$(grep -n x f | head -1 | cut -d: -f1),+3p" f', ["read f"]],
  ['sed -n "$n,5p" f', ["read f", "unknown"]],
  ['sed "$((n))e rm x" f', ["delete x", "exec rm", "read f"]],
]);

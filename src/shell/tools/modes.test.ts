import { permissionTools } from "./modes.js";
import { table } from "./tool-table.js";

table("modes", permissionTools, [
  ["chmod 644 a", ["write a"]],
  ["chmod +x run.sh", ["write run.sh"]],
  ["chmod -x run.sh", ["write run.sh"]],
  ["chmod -R 755 dist", ["write dist recursive"]],
  ["chmod 777 a", ["write a !permissions:1:chmod-world-writable"]],
  ["chmod -R 777 .", ["write . recursive !permissions:2:chmod-world-writable"]],
  ["chmod -R 777 /", ["write / recursive !permissions:3:chmod-system-tree"]],
  ["chmod 777 / -R", ["write / recursive !permissions:3:chmod-system-tree"]],
  ["chmod u+s /bin/x", ["write /bin/x !permissions:2:setuid"]],
  ["chown -R me /etc", ["write /etc recursive !permissions:3:chown-system-tree"]],
  ["chown user:group a", ["write a"]],
  ["chown --reference=b a", ["write a"]],
  ["chattr +i a", ["write a"]],
  ["setfacl -m u:x:rw a", ["write a"]],
  ["xattr a", []],
  ["setcap cap_net_raw+ep a", ["write a", "!permissions:2:setcap"]],
  ["setcap -v cap_net_raw+ep a", []],
  ["setfacl --test -m u:x:rw a", []],
  ["chcon -t bin_t a", ["write a"]],
  ["chmod --zzz 777 a", ["write a !permissions:1:chmod-world-writable"]],
  ["xattr -d com.apple.quarantine a", ["write a"]],
]);

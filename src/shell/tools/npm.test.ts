import { npmTools } from "./npm.js";
import { table } from "./testing.js";

const files = {
  "package.json": JSON.stringify({
    scripts: { build: "tsc", pretest: "lint", test: "vitest run", wipe: "rm -rf src" },
  }),
};
const sub = { "sub/package.json": JSON.stringify({ scripts: { go: "rm x" } }) };
const install = ["network npm", "exec npm", "write node_modules recursive", "write package-lock.json"];

table("npm", npmTools, [
  ["npm install", install],
  ["npm ci", install],
  ["npm i -D x", [...install, "write package.json"]],
  ["npm install -g x", ["network npm", "exec npm", "!system:1:global-install"]],
  ["npm uninstall x", [...install, "write package.json"]],
  ["npm ls --depth=0", []],
  ["npm view react", ["network npm"]],
  ["npm --version", []],
  ["npm test", ["shell lint", "shell vitest run"], { files }],
  ["npm test", ["exec npm"]],
  ["npm run build -- --watch", ["shell tsc --watch"], { files }],
  ["npm run wipe", ["shell rm -rf src"], { files }],
  ["npm run missing", ["exec npm", "unknown"], { files }],
  ["npm run lint", ["exec npm"]],
  ["npm --prefix sub run go", ["shell rm x in sub"], { files: sub }],
  ["npm exec -- vitest run", ["run vitest run"]],
  ["npm x -c 'rm x'", ["shell rm x"]],
  ["npm publish", ["network npm upload", "!infrastructure:2:publish"]],
  ["npm publish --dry-run", ["network npm upload"]],
  ["npm version patch", ["write package.json", "commit  npm version"]],
  ["npm version", []],
  ["npm version patch --no-git-tag-version", ["write package.json"]],
  ["npm pkg set a=b", ["write package.json"]],
  ["npm config get registry", []],
  ["npm config set a b", ["write /home/u/.npmrc"]],
  ["npm audit", ["network npm"]],
  ["npm init -y", ["write package.json"]],
  ["yarn", ["network yarn", "exec yarn", "write node_modules recursive", "write yarn.lock"]],
  ["yarn test", ["shell lint", "shell vitest run"], { files }],
  ["yarn tsc -p .", ["run tsc -p ."], { files }],
  [
    "pnpm add x",
    ["network pnpm", "exec pnpm", "write node_modules recursive", "write pnpm-lock.yaml", "write package.json"],
  ],
  ["pnpm dlx cowsay hi", ["run cowsay hi"]],
  ["pnpm exec vitest", ["run vitest"]],
  ["pnpm dlx @anthropic-ai/claude-code -p x", ["run claude -p x"]],
  ["pnpm wipe", ["shell rm -rf src"], { files }],
  ["bun test", ["exec bun"]],
  ["bun run x.ts", ["script x.ts node"]],
  ["bun x.ts", ["script x.ts node"]],
  ["bun -e 'console.log(1)'", []],
  ["npm $X", ["exec npm", "unknown"]],
]);

import { commandTable } from "../testing.js";

const fetched = (name: string) => [`network ?`, `exec ${name}`];
const files: Record<string, string> = { "/p/pip.conf": "[global]\nindex-url = https://pypi.acme.example/simple\n" };
const named = { readFile: (path: string) => files[path] };
const foreign = "!remote-code:3:package-index";

commandTable("package index", [
  ["pip install --index-url https://pypi.org/simple x", fetched("pip")],
  ["pip install torch --index-url https://download.pytorch.org/whl/cpu", fetched("pip")],
  ["pip install --extra-index-url https://pypi.acme.example/simple x", fetched("pip"), named],
  ["pip install -i http://10.0.0.5:8080/simple x", fetched("pip")],
  ["pip install --extra-index-url https://pypi.acme.example/simple x", [...fetched("pip"), `exec pip ${foreign}`]],
  ["PIP_INDEX_URL=https://x.io/simple pip download x", ["write . recursive", ...fetched("pip"), `exec pip ${foreign}`]],
  [
    "pip config set global.index-url https://x.example/simple",
    ["exec pip !remote-code:3:package-index", "write /home/u/.config/pip/pip.conf"],
  ],
]);

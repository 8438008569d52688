// Release manifests: an appcast with a missing or made-up signature, URL or length is refused when written or
// published.
import { join } from "node:path";
import { type Row, row, table } from "../../../../test/discipline/adversarial/table.js";
import type { Agent } from "../../../../test/discipline/agent.js";

const sig = "MC0CFQCxxx7lZ9kQ1fXv0yT5b3rN2mPqEwIUfQ8sD4gH6jK1zYcVbNmLpOiUyTr==";
const item = (enclosure: string, more = "") =>
  `<item><title>1.2</title>${more}<enclosure ${enclosure} type="application/octet-stream"/></item>`;
const feed = (...items: string[]) =>
  '<?xml version="1.0"?>\n<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel>\n' +
  `${items.join("\n")}\n</channel></rss>\n`;
const url = "https://dist.example.com/App-1.2.dmg";
const fine = item(`url="${url}" length="8" sparkle:edSignature="${sig}"`);
const empty = item(`url="${url}" length="8" sparkle:edSignature=""`);
const files = { "dist/App-1.2.dmg": "the app\n" };
const write =
  (text: string, path = "appcast.xml") =>
  (a: Agent) =>
    a.write(path, text);

const written: Row[] = [
  row("pass", "a sound one", write(feed(fine))),
  row(
    "pass",
    "two sound ones",
    write(feed(fine, item(`url="https://dist.example.com/App-1.1.dmg" length="99" sparkle:edSignature="${sig}"`))),
  ),
  row("pass", "in single quotes", write(feed(item(`url='${url}' length='8' sparkle:edSignature='${sig}'`)))),
  row(
    "pass",
    "over several lines",
    write(feed(item(`\n  url="${url}"\n  length = "8"\n  sparkle:edSignature = "${sig}"\n`))),
  ),
  row("pass", "no entry yet", write(feed())),
  row(
    "pass",
    "an entry that only informs",
    write(feed("<item><title>2.0</title><sparkle:informationalUpdate/><link>https://example.com</link></item>")),
  ),
  row("pass", "a thing to do in a comment", write(feed("<!-- TODO: write better notes -->", fine)), "ambiguous"),
  row(
    "pass",
    "a thing to do in the notes",
    write(
      feed(
        item(
          `url="${url}" length="8" sparkle:edSignature="${sig}"`,
          "<description><![CDATA[Adds a TODO list and fixes a PLACEHOLDER text]]></description>",
        ),
      ),
    ),
    "ambiguous",
  ),
  row(
    "pass",
    "notes at GitHub",
    write(
      feed(
        item(
          `url="${url}" length="8" sparkle:edSignature="${sig}"`,
          "<sparkle:releaseNotesLink>https://github.com/o/app/releases/tag/v1.2</sparkle:releaseNotesLink>",
        ),
      ),
    ),
    "ambiguous",
  ),
  row(
    "pass",
    "a length of a file that is not here",
    write(feed(item(`url="https://dist.example.com/App-1.1.dmg" length="99" sparkle:edSignature="${sig}"`))),
  ),
  row("pass", "a commented-out entry", write(feed(`<!-- ${empty} -->`, fine)), "ambiguous"),
  row("deny", "an empty signature", write(feed(empty))),
  row("deny", "a blank signature", write(feed(item(`url="${url}" length="8" sparkle:edSignature="  "`)))),
  row("deny", "no signature", write(feed(item(`url="${url}" length="8"`)))),
  row(
    "deny",
    "no signature at the second",
    write(feed(fine, item(`url="https://dist.example.com/App-1.1.dmg" length="9"`))),
  ),
  ...["PLACEHOLDER", "TODO", "FIXME", "REPLACE_ME", "xxx", "your-signature-here", "<signature>", "..."].map((p) =>
    row(
      "deny",
      `the signature ${p}`,
      write(feed(item(`url="${url}" length="8" sparkle:edSignature="${p.replaceAll("<", "&lt;")}"`))),
    ),
  ),
  row(
    "deny",
    "a variable nobody filled in",
    write(feed(item(`url="${url}" length="8" sparkle:edSignature="\${SIGNATURE}"`))),
    "villain",
  ),
  row(
    "deny",
    "too short for a signature",
    write(feed(item(`url="${url}" length="8" sparkle:edSignature="abc"`))),
    "villain",
  ),
  row(
    "deny",
    "an address at GitHub",
    write(
      feed(
        item(
          `url="https://github.com/o/app/releases/download/v1.2/App-1.2.dmg" length="8" sparkle:edSignature="${sig}"`,
        ),
      ),
    ),
  ),
  row(
    "deny",
    "an address at GitHub in capitals",
    write(
      feed(
        item(
          `url="HTTPS://GitHub.com/o/app/releases/download/v1.2/App-1.2.dmg" length="8" sparkle:edSignature="${sig}"`,
        ),
      ),
    ),
    "villain",
  ),
  row(
    "deny",
    "an address at GitHub with entities",
    write(
      feed(
        item(
          'url="https://github&#46;com/o/app/releases/download/v1.2/App-1.2.dmg" length="8" ' +
            `sparkle:edSignature="${sig}"`,
        ),
      ),
    ),
    "villain",
  ),
  row("deny", "another length", write(feed(item(`url="${url}" length="9" sparkle:edSignature="${sig}"`)))),
  row("pass", "no length", write(feed(item(`url="${url}" sparkle:edSignature="${sig}"`))), "ambiguous"),
  row(
    "pass",
    "the length zero of a file that is not here",
    write(feed(item(`url="https://dist.example.com/App-1.1.dmg" length="0" sparkle:edSignature="${sig}"`))),
    "ambiguous",
  ),
  row(
    "deny",
    "a length with an address that has a query",
    write(feed(item(`url="${url}?v=2" length="9" sparkle:edSignature="${sig}"`))),
    "villain",
  ),
  row("deny", "elsewhere in the project", write(feed(empty), "site/updates/appcast.xml")),
  row("pass", "another file", write(feed(empty), "fixtures/feed.xml")),
  row(
    "deny",
    "the signature of another attribute",
    write(feed(item(`url="${url}" length="8" data-x='sparkle:edSignature="${sig}"'`))),
    "villain",
  ),
  row(
    "deny",
    "a signature in the comment only",
    write(feed(`<!-- sparkle:edSignature="${sig}" -->`, item(`url="${url}" length="8"`))),
    "villain",
  ),
  row("deny", "by Edit", async (a) => a.edit("appcast.xml", `edSignature="${sig}"`, 'edSignature=""'), "plain", {
    files: { ...files, "appcast.xml": feed(fine) },
  }),
  row(
    "pass",
    "by Edit, something else",
    async (a) => a.edit("appcast.xml", "<title>1.2</title>", "<title>1.2.0</title>"),
    "plain",
    { files: { ...files, "appcast.xml": feed(fine) } },
  ),
  row(
    "pass",
    "by Edit, the cure",
    async (a) => a.edit("appcast.xml", 'edSignature=""', `edSignature="${sig}"`),
    "plain",
    { files: { ...files, "appcast.xml": feed(empty) } },
  ),
  row(
    "pass",
    "by Edit, one of two cured",
    async (a) => a.edit("appcast.xml", 'length="1" sparkle:edSignature=""', `length="1" sparkle:edSignature="${sig}"`),
    "ambiguous",
    {
      files: {
        ...files,
        "appcast.xml": feed(
          item('url="https://dist.example.com/A.dmg" length="1" sparkle:edSignature=""'),
          item('url="https://dist.example.com/B.dmg" length="2" sparkle:edSignature=""'),
        ),
      },
    },
  ),
  row(
    "deny",
    "by MultiEdit",
    (a) =>
      a.before("MultiEdit", {
        file_path: join(a.root, "appcast.xml"),
        edits: [{ old_string: `edSignature="${sig}"`, new_string: 'edSignature=""' }],
      }),
    "plain",
    { files: { ...files, "appcast.xml": feed(fine) } },
  ),
  row("deny", "by a here-document", (a) => a.bash(`cat > appcast.xml <<'EOF'\n${feed(empty)}EOF`), "villain"),
  row(
    "deny",
    "by a here-document, sound or not: it cannot be inspected",
    (a) => a.bash(`cat > appcast.xml <<'EOF'\n${feed(fine)}EOF`),
    "ambiguous",
  ),
  row("deny", "by a copy", (a) => a.bash("cp draft.xml appcast.xml"), "villain", {
    files: { ...files, "draft.xml": feed(empty) },
  }),
  row("pass", "by a copy of a sound one", (a) => a.bash("cp draft.xml site/appcast.xml"), "ambiguous", {
    files: { ...files, "draft.xml": feed(fine) },
  }),
  row("pass", "back to what was committed", (a) => a.bash("git checkout appcast.xml"), "ambiguous", {
    files: { ...files, "appcast.xml": feed(fine) },
  }),
  row("pass", "by the tool that signs", (a) => a.bash("generate_appcast updates"), "ambiguous"),
  row("deny", "by a move", (a) => a.bash("mv draft.xml site/appcast.xml"), "villain", {
    files: { ...files, "draft.xml": feed(empty) },
  }),
  row("deny", "by sed", (a) => a.bash(`sed -i 's/edSignature="[^"]*"/edSignature=""/' appcast.xml`), "villain", {
    files: { ...files, "appcast.xml": feed(fine) },
  }),
  row(
    "deny",
    "by an MCP writer",
    (a) => a.before("mcp__fs__write_file", { path: join(a.root, "appcast.xml"), content: feed(empty) }),
    "villain",
  ),
  row("pass", "reading it", (a) => a.bash("cat appcast.xml", feed(empty)), "plain", {
    files: { ...files, "appcast.xml": feed(empty) },
  }),
  row("pass", "taking a bad one away", (a) => a.bash("rm appcast.xml"), "ambiguous", {
    files: { ...files, "appcast.xml": feed(empty) },
  }),
  row("pass", "a file in the place of an output folder", write(feed(fine)), "ambiguous", {
    files: { dist: "a file\n" },
  }),
];

const deploys = (command: string) => (a: Agent) => a.before("Bash", { command });
const bad = { ...files, "site/index.html": "<p>", "site/appcast.xml": feed(empty) };
const deep = { ...files, "site/index.html": "<p>", "site/updates/v1/appcast.xml": feed(empty) };
const sound = { ...files, "site/index.html": "<p>", "site/appcast.xml": feed(fine) };
const published: Row[] = [
  ...[
    "wrangler pages deploy site",
    "wrangler pages deploy ./site --project-name app",
    "wrangler pages deploy --project-name app site",
    "wrangler pages deploy --project-name=app --branch main site/",
    "wrangler pages publish site",
    "npx wrangler pages deploy site",
    "npx --yes wrangler@3 pages deploy site",
    "cd site && wrangler pages deploy .",
    "npm test && wrangler pages deploy site",
    'd=site; wrangler pages deploy "$d"',
  ].flatMap((c) => [
    row("deny", `a bad feed: ${c}`, deploys(c), "plain", { files: bad }),
    row("pass", `a sound feed: ${c}`, deploys(c), "plain", { files: sound }),
  ]),
  row("deny", "deeper in the folder", deploys("wrangler pages deploy site"), "villain", { files: deep }),
  row("deny", "the folder of the configuration", deploys("wrangler pages deploy"), "villain", {
    files: { ...bad, "wrangler.toml": 'name = "app"\npages_build_output_dir = "site"\n' },
  }),
  row("pass", "the folder of the configuration, sound", deploys("wrangler pages deploy"), "ambiguous", {
    files: { ...sound, "wrangler.toml": 'name = "app"\npages_build_output_dir = "site"\n' },
  }),
  row("pass", "another folder", deploys("wrangler pages deploy docs"), "plain", {
    files: { ...bad, "docs/index.html": "<p>" },
  }),
  row("pass", "developing", deploys("wrangler pages dev site"), "plain", { files: bad }),
  row("pass", "listing", deploys("wrangler pages project list"), "plain", { files: bad }),
  row(
    "deny",
    "the cure is looked at anew",
    async (a) => {
      await a.before("Bash", { command: "wrangler pages deploy site" });
      a.put("site/appcast.xml", feed(item(`url="${url}" length="9" sparkle:edSignature="${sig}"`)));
      return a.before("Bash", { command: "wrangler pages deploy site" });
    },
    "plain",
    { files: bad },
  ),
  row(
    "deny",
    "a feed put to R2",
    deploys("wrangler r2 object put downloads/appcast.xml --file=site/appcast.xml"),
    "villain",
    { files: bad },
  ),
  row(
    "pass",
    "a sound feed put to R2",
    deploys("wrangler r2 object put downloads/appcast.xml --file=site/appcast.xml"),
    "ambiguous",
    { files: sound },
  ),
];

table("manifest, written", ["release-manifest"], written, { files, options: { release: { profiles: ["sparkle"] } } });
table("manifest, published", ["release-manifest"], published, {
  files,
  options: { release: { profiles: ["sparkle"] } },
});

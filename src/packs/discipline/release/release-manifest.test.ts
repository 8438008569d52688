import { story } from "../../../../test/discipline/story.js";

const dmg = { "App.dmg": "the disk image" };
const appcast = (signature: string, url = "https://dist.example.com/App.dmg", length = 14) =>
  `<rss><channel><item><enclosure url="${url}" sparkle:edSignature="${signature}" length="${length}" ` +
  "/></item></channel></rss>\n";

story({
  gate: "discipline/release-manifest",
  how: "deny",
  options: { release: { profiles: ["sparkle"] } },
  files: { ...dmg, "site/appcast.xml": appcast("") },
  reach: (a) => a.write("appcast.xml", appcast("PLACEHOLDER")),
  says: /placeholder/,
  remedy: async () => undefined,
  again: (a) => a.write("appcast.xml", appcast("bWFkZS11cCwgYnV0IGxvbmcgZW5vdWdo")),
  later: [
    {
      when: "a forbidden address",
      run: (a) =>
        a.write(
          "appcast.xml",
          appcast("bWFkZS11cCwgYnV0IGxvbmcgZW5vdWdo", "https://github.com/o/r/releases/download/1/App.dmg"),
        ),
      outcome: "deny",
    },
    {
      when: "a wrong length",
      run: (a) => a.write("appcast.xml", appcast("bWFkZS11cCwgYnV0IGxvbmcgZW5vdWdo", undefined, 99)),
      outcome: "deny",
      says: /length 99/,
    },
    { when: "a folder with a broken one", run: (a) => a.bash("wrangler pages deploy site"), outcome: "deny" },
    {
      when: "repaired",
      run: async (a) => {
        a.put("site/appcast.xml", appcast("bWFkZS11cCwgYnV0IGxvbmcgZW5vdWdo"));
        return a.bash("wrangler pages deploy site");
      },
      outcome: "pass",
    },
  ],
});

import { story } from "../../../../test/discipline/story.js";

const dmg = { "App.dmg": "the disk image" };

story({
  gate: "discipline/release",
  how: "deny",
  spawned: true,
  options: { release: { profiles: ["sparkle"] } },
  files: dmg,
  reach: (a) => a.bash("wrangler r2 object put shared/App.dmg --file=App.dmg", "uploaded"),
  says: /not produced as it is now; not verified/,
  remedy: async (a) => {
    await a.bash("xcrun stapler validate App.dmg", "The validate action worked!");
    await a.bash("sign_update App.dmg", 'sparkle:edSignature="made-up" length="14"');
  },
  again: (a) => a.bash("wrangler r2 object put shared/App.dmg --file App.dmg", "uploaded"),
  later: [
    {
      when: "another destination",
      run: (a) => a.bash("wrangler r2 object put shared/sub/App.dmg --file=App.dmg"),
      outcome: "deny",
      says: /destination/,
    },
    {
      when: "the file changed",
      run: async (a) => {
        a.put("App.dmg", "another");
        return a.bash("wrangler r2 object put shared/App.dmg --file=App.dmg");
      },
      outcome: "deny",
    },
    {
      when: "a hidden failure is no record",
      run: async (a) => {
        await a.bash("sign_update App.dmg || true", "");
        await a.bash("xcrun stapler validate App.dmg", "ok");
        return a.bash("wrangler r2 object put shared/App.dmg --file=App.dmg");
      },
      outcome: "deny",
      says: /not produced/,
    },
  ],
});

// Shipped sets of release rules, as data. Sparkle: a macOS app signed for Sparkle, stapled by Apple, served from R2, announced in an appcast.
import type { ManifestRule, ReleaseRule } from "./options.js";

/** However it is started: npx, pnpm and their like are seen through. */
const uploads = ["wrangler r2 object put {to} --file {file}", "wrangler r2 object put {to} -f {file}"];

export const profiles: Readonly<Record<string, { rules: ReleaseRule[]; manifests: ManifestRule[] }>> = {
  sparkle: {
    rules: [
      {
        id: "sparkle-dmg",
        artifact: "*.dmg",
        producers: ["sign_update {file}", "sign_update.swift {file}", "swift sign_update.swift {file}"],
        verifiers: [
          "xcrun stapler validate {file}",
          "xcrun stapler staple {file}",
          "stapler validate {file}",
          "stapler staple {file}",
        ],
        publishers: uploads,
        // Bucket and key: the shared bucket is flat.
        to: ["*/*", "!*/*/*"],
      },
      {
        id: "sparkle-zip",
        artifact: "*.zip",
        producers: ["sign_update {file}", "sign_update.swift {file}", "swift sign_update.swift {file}"],
        verifiers: [],
        publishers: uploads,
        to: ["*/*", "!*/*/*"],
      },
    ],
    manifests: [
      {
        id: "appcast",
        file: "**/appcast*.xml",
        signed: ["sparkle:edSignature", "edSignature"],
        forbidden: ["github.com/*/releases/download"],
        length: "length",
        publishers: ["wrangler pages deploy {dir}", "wrangler pages publish {dir}", ...uploads],
      },
    ],
  },
};

// Shipped sets of release rules, as data.
// Sparkle: a macOS app signed for Sparkle, stapled by Apple, served from R2, announced in an appcast.
import type { ManifestRule, ReleaseRule } from "../discipline-options.js";

const signers = ["sign_update {file}", "sign_update.swift {file}", "swift sign_update.swift {file}"];
const staplers = [
  "xcrun stapler validate {file}",
  "xcrun stapler staple {file}",
  "stapler validate {file}",
  "stapler staple {file}",
];
/** R2 through its S3 interface. */
const copies = [
  "aws s3 cp {file} {to}",
  "aws s3 mv {file} {to}",
  "rclone copy {file} {to}",
  "rclone copyto {file} {to}",
];
/** Wrappers such as npx and pnpm are seen through. */
const uploads = ["wrangler r2 object put {to} --file {file}", "wrangler r2 object put {to} -f {file}"];

export const releaseProfiles: Readonly<Record<string, { rules: ReleaseRule[]; manifests: ManifestRule[] }>> = {
  sparkle: {
    rules: [
      {
        id: "sparkle-dmg",
        artifact: "*.dmg",
        producers: signers,
        verifiers: staplers,
        publishers: uploads,
        // Bucket and key; no folders in the shared bucket.
        to: ["*/*", "!*/*/*"],
      },
      {
        id: "sparkle-zip",
        artifact: "*.zip",
        producers: signers,
        verifiers: [],
        publishers: uploads,
        to: ["*/*", "!*/*/*"],
      },
      { id: "sparkle-dmg-copy", artifact: "*.dmg", producers: signers, verifiers: staplers, publishers: copies },
      { id: "sparkle-zip-copy", artifact: "*.zip", producers: signers, verifiers: [], publishers: copies },
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

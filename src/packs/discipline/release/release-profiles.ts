// Shipped sets of release rules, as data.
// Homebrew casks come with Sparkle: the same archive is installed by both.
// Sparkle: a macOS app signed for Sparkle, stapled by Apple, served from R2, announced in an appcast.
import type { ManifestRule, ReleaseRule } from "../discipline-options.js";

const signers = ["sign_update {file}", "sign_update.swift {file}", "swift sign_update.swift {file}"];
const staplers = [
  "xcrun stapler validate {file}",
  "xcrun stapler staple {file}",
  "stapler validate {file}",
  "stapler staple {file}",
];
/** Whole folders: each artifact in them is published. */
const folders = [
  "aws s3 sync {dir} {to}",
  "aws s3 cp {dir} {to}",
  "rclone sync {dir} {to}",
  "rclone copy {dir} {to}",
  "gsutil rsync {dir} {to}",
  "gsutil cp {dir} {to}",
  "scp {dir} {to}",
  "rsync {dir} {to}",
];
/** R2 through its S3 interface, and the other ways a file goes out. */
const copies = [
  "aws s3 cp {file} {to}",
  "aws s3 mv {file} {to}",
  "rclone copy {file} {to}",
  "rclone copyto {file} {to}",
  "s5cmd cp {file} {to}",
  "gsutil cp {file} {to}",
  "scp {file} {to}",
  "curl -T {file} {to}",
  "curl --upload-file {file} {to}",
  "curl --data-binary {file} {to}",
  "curl -F {file} {to}",
  "curl --form {file} {to}",
  "aws s3api put-object --body {file}",
  "rsync {file} {to}",
  "gh release upload {to} {file}",
  "gh release create {to} {file}",
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
      {
        id: "sparkle-dmg-copy",
        artifact: "*.dmg",
        producers: signers,
        verifiers: staplers,
        publishers: [...copies, ...folders],
      },
      {
        id: "sparkle-zip-copy",
        artifact: "*.zip",
        producers: signers,
        verifiers: [],
        publishers: [...copies, ...folders],
      },
    ],
    manifests: [
      {
        id: "appcast",
        file: "**/appcast*.xml",
        signed: ["sparkle:edSignature", "edSignature"],
        forbidden: ["github.com/*/releases/download"],
        length: "length",
        elements: ["enclosure"],
        publishers: ["wrangler pages deploy {dir}", "wrangler pages publish {dir}", ...folders, ...uploads],
      },
      { id: "cask", file: "**/Casks/**/*.rb", cask: true },
    ],
  },
};

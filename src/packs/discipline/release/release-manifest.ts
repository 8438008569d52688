// Release manifests are checked before they are written and before they, or their folder, are published.
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { unsoundManifest } from "./manifest-checks.js";

export const releaseManifest = gate<undefined, DisciplineOptions>({
  id: "discipline/release-manifest",
  title: "Release manifests are valid",
  about:
    "Checks release manifests (for Sparkle: appcast.xml). Refuses an edit that removes a signature or " +
    "leaves a placeholder signature, a forbidden URL, or a length that differs from the local file; a " +
    "shell command that changes a manifest in a way that cannot be inspected; and publishing an invalid " +
    "manifest or a folder that contains one.",
  remedy: "Put the real signature, URL and length in the manifest, with Edit or Write.",
  on: before("edit", "write", "shell", "mcp"),
  onError: "deny",
  judge({ facts, config }) {
    const { manifests } = config.release;
    const found = manifests.length ? unsoundManifest(facts, manifests) : undefined;
    return found && deny(found);
  },
});

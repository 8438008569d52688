// Release manifests are checked before they are written and before they, or their folder, are published.
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { unsoundManifest } from "./manifest-checks.js";

export const releaseManifest = gate<undefined, DisciplineOptions>({
  id: "discipline/release-manifest",
  title: "Release manifests are sound",
  about:
    "Refuses an edit of a release manifest (for Sparkle: appcast.xml) that makes an entry lose its signature or gives it a placeholder, a forbidden address or a length that differs from the local file; a change of a manifest through the shell that can't be looked into; and the publication of a manifest that is not sound, or of a folder that holds one.",
  remedy: "Put the real signature, address and length in the manifest, with Edit or Write.",
  on: before("edit", "write", "shell", "mcp"),
  onError: "deny",
  judge({ facts, config }) {
    const { manifests } = config.release;
    const found = manifests.length ? unsoundManifest(facts, manifests) : undefined;
    return found && deny(found);
  },
});

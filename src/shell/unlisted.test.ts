// An option no table lists, put in front of a dangerous command, must not take its verdict away.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { reactionTo } from "../packs/guard/presets.js";
import { hazardsOf } from "./hazards.js";
import { analyse } from "./index.js";

const verdicts = JSON.parse(readFileSync("test/shell/verdicts.json", "utf8")) as Record<"deny" | "ask", string[]>;
const places = { cwd: "/home/u/p", root: "/home/u/p", home: "/home/u" };

function isRefused(command: string): boolean {
  return hazardsOf(analyse(command, places).effects, places).some(
    ({ hazard }) => hazard.class !== "verification-skip" && reactionTo(hazard, {}) !== undefined,
  );
}

/** Tools that are told what to do by a sub-command. */
const tools = `
  git docker docker-compose podman nerdctl kubectl oc helm helmfile aws gcloud gsutil az doctl linode-cli hcloud eksctl
  heroku fly flyctl vercel netlify firebase wrangler railway supabase npm pnpm yarn gh glab circleci gitlab-runner
  terraform tofu pulumi cdk serverless sls systemctl service launchctl pm2 supervisorctl zfs zpool btrfs cryptsetup nvme
  restic borg velero kopia nats rabbitmqctl rpk rclone vault consul nomad etcdctl redis-cli argocd flux minikube kind
  k3d talosctl kubeadm istioctl cargo gem pip twine poetry mc s3cmd snap flatpak brew apt apt-get dnf yum`
  .trim()
  .split(/\s+/);

/** One simple command that starts with one of the tools. */
const oneLiners = [...verdicts.deny, ...verdicts.ask].filter(
  (command) => tools.includes(/^[\w.-]+(?= )/.exec(command)?.[0] ?? "") && !/[;&|<>\n`]|\$\(/.test(command),
);

test("an unlisted option in front of a sub-command keeps the verdict", () => {
  assert.ok(oneLiners.length >= 400, `${oneLiners.length} commands`);
  const lost = oneLiners
    .map((command) => command.replace(" ", " --zzz-timeout 5s "))
    .filter((command) => !isRefused(command));
  console.log(`${lost.length} of ${oneLiners.length} lose their verdict`);
  assert.deepEqual(lost, []);
});

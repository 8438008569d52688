// Which entries of an `except:` list name a hazard, and which known name is nearest to a wrong one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isHazardName, nearestHazardName } from "./hazard-names.js";

const rows: [string, boolean, string][] = [
  ["mkfs", true, "an id"],
  ["firewall", true, "the name several ids share"],
  ["firewall-off", true, "the id of one of them"],
  ["helm-uninstall", true, "a program and its sub-command"],
  ["helm-uninstal", false, "a misspelt sub-command"],
  ["aws-ec2-terminate-instances", true, "words of the command"],
  ["kubectl-delete-namespace", true, "a name built in code"],
  ["remove-azresourcegroup", true, "a cmdlet"],
  ["environment-dump-sent", true, "a secret on its way out"],
  ["mkfs-sent", false, "no secret"],
  ["git-*", true, "a beginning"],
  ["kubectl-delete-name*", true, "a beginning that reaches into words of the command"],
  ["liquibase-dropAll", true, "as the refusal spells it"],
  ["gti-*", false, "a misspelt beginning"],
  ["git-rest-hard", false, "a misspelt id"],
];
for (const [entry, known, what] of rows)
  test(`${entry} is ${known ? "known" : "unknown"}: ${what}`, () => assert.equal(isHazardName(entry), known));

test("a wrong name is answered with the nearest one", () => {
  assert.equal(nearestHazardName("git-rest-hard"), "git-reset-hard");
  assert.equal(nearestHazardName("helm-uninstal"), "helm-uninstall");
  assert.equal(nearestHazardName("xxxxxxxxxxxx"), undefined);
});

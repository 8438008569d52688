// Cloud command lines: aws, gcloud, az, gsutil and smaller providers.
// Invariant: deletions are hazards by kind of resource, copies between here and a bucket are reads and uploads or writes, listing is quiet.
import type { Hazard } from "../../model/effect.js";
import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { cut, literal, parse, syntax } from "../spec/options.js";
import { all, cli, commandLine } from "./commands.js";
import { sqlHazards } from "./sql.js";
import { asksHelp, isStream } from "./table.js";

const isBucket = (word: Arg | undefined) => /^(s3|gs|b2|az|oss|cos):\/\//.test(word?.value ?? word?.prefix ?? "");

/** cp, mv, sync between this machine and a bucket, as aws s3, gsutil and gcloud storage spell it. */
function bucketCopy(
  verb: string,
  operands: readonly Arg[],
  recursive: boolean,
  dry: boolean,
  call: Invocation,
  emit: Emit,
): void {
  const target = operands.at(-1);
  const sources = operands.slice(0, -1);
  const upload = isBucket(target) && sources.some((source) => !isBucket(source));
  const host = [target, ...sources].find(isBucket)?.value;
  emit.effect({ kind: "network", program: call.name, host, reason: `${call.name} ${verb}`, ...(upload && { upload }) });
  const extra = recursive || verb === "sync" || verb === "rsync" ? { recursive: true } : {};
  for (const source of sources) {
    if (isBucket(source) || isStream(source)) continue;
    emit.read(source, `${call.name} ${verb} source`, extra);
    if (verb === "mv" && !dry) emit.delete(source, `${call.name} mv takes it away`, extra);
  }
  if (target && !isBucket(target) && !isStream(target) && !dry)
    emit.write(target, `${call.name} ${verb} destination`, extra);
}

const awsSyntax = syntax(
  "profile= region= output= query= endpoint-url= cli-input-json= bucket= key= exclude= include= acl= sse= storage-class= name= id= queue-url= topic-arn= secret-id= secret-string= secret-binary= instance-ids= stack-name= function-name= db-instance-identifier= table-name= cluster= cluster-name= payload= zip-file= body= filters= version-id= parameters= receipt-handle= subscription-arn= kms-key-id= policy-name= user-name= role-name= group-name= file= delete",
);

const aws: ToolFamily = {
  names: ["aws", "awslocal", "aws2"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, awsSyntax);
    const [service, operation, ...rest] = given.operands;
    const name = service?.value ?? "";
    const verb = operation?.value ?? "";
    if (name === "configure") return configure(verb, rest, emit);
    if (name === "s3") return s3(verb, rest, call, given, emit);
    emit.effect({ kind: "network", program: call.name, host: name, reason: `aws ${name} ${verb}` });
    for (const value of [
      ...given.values("cli-input-json", "payload", "zip-file", "body", "secret-binary", "secret-string"),
    ])
      if (/^fileb?:\/\//.test(value.value ?? ""))
        emit.read(cut(value, value.value!.indexOf("//") + 2), `aws --${verb}`);
    if (name === "s3api" && verb === "get-object" && rest[0]) emit.write(rest[0], "aws s3api get-object");
    if (name === "lambda" && verb === "invoke" && rest[0]) emit.write(rest[0], "aws lambda invoke");
    if (
      /^(get-secret-value|get-session-token|create-access-key|get-federation-token|get-login-password|get-password-data|assume-role|batch-get-secret-value)$/.test(
        verb,
      ) ||
      (verb.startsWith("get-parameter") && given.has("with-decryption"))
    )
      return emit.hazard({ class: "credential-read", level: 2, id: `aws-${verb}` }, `aws ${name} ${verb}`);
    if (given.has("dry-run", "generate-cli-skeleton")) return;
    if (name === "ssm" && verb === "send-command")
      for (const [, text] of (given.value("parameters")?.value ?? "").matchAll(/["'[]\s*((?:[^"'\]\\]|\\.)+)/g))
        emit.remote(literal(text!), "ssm", "aws ssm send-command");
    const level = awsLevel(name, verb, given.has("force-delete-without-recovery", "skip-final-snapshot"));
    if (level) emit.hazard({ class: "infrastructure", level, id: `aws-${name}-${verb}` }, `aws ${name} ${verb}`);
    if (name === "" && given.unsure) emit.unknown("the service of aws is not static");
  },
};

function awsLevel(service: string, verb: string, forced: boolean): Hazard["level"] | undefined {
  if (
    /^(terminate-instances|delete-db-(instance|cluster)|delete-bucket|delete-table|delete-stack|delete-cluster|delete-file-system|delete-volume|delete-snapshot|delete-db-snapshot|delete-hosted-zone|schedule-key-deletion|delete-user-pool|delete-repository|delete-vault|delete-backup-vault|delete-recovery-point|delete-vpc|delete-organization|delete-domain|delete-replication-group|delete-objects?-version|delete-global-table|delete-environment|delete-user|delete-role)$/.test(
      verb,
    )
  )
    return 3;
  if (verb === "delete-secret") return forced ? 3 : 2;
  if (
    /^((?:batch-|admin-|force-|bulk-)?delete|close-account|remove|deregister|purge|detach|disable|revoke|reset|terminate|cancel|stop|reboot|disassociate|release|unsubscribe|untag|abort|reject|deactivate)(-|$)/.test(
      verb,
    )
  )
    return 2;
  if (
    /^(update-secret|put-bucket-policy|put-secret-value|put-role-policy|attach-user-policy|attach-role-policy|put-public-access-block|modify-db-instance|authorize-security-group-ingress|put-bucket-acl|put-object-acl|restore-db)/.test(
      verb,
    )
  )
    return 2;
  if (service === "cloudformation" && /^(deploy|create-stack|update-stack|execute-change-set)$/.test(verb)) return 1;
  return undefined;
}

function configure(verb: string, rest: readonly Arg[], emit: Emit): void {
  if (verb === "get" && /secret|token|key/.test(rest[0]?.value ?? "secret"))
    return emit.hazard(
      { class: "credential-read", level: 2, id: "aws-configure-get" },
      "aws configure get shows a stored credential",
    );
  if (verb === "export-credentials")
    return emit.hazard(
      { class: "credential-read", level: 2, id: "aws-export-credentials" },
      "aws configure export-credentials",
    );
  if (!/^(list|list-profiles|get)$/.test(verb)) emit.write(literal("~/.aws/config"), "aws configure writes it");
}

function s3(verb: string, rest: Arg[], call: Invocation, given: ReturnType<typeof parse>, emit: Emit): void {
  const dry = given.has("dryrun");
  if (/^(cp|mv|sync)$/.test(verb)) {
    bucketCopy(verb, rest, given.has("recursive"), dry, call, emit);
    const both = rest.length > 1 && rest.every(isBucket);
    if (dry) return;
    if (verb === "sync" && given.has("delete"))
      return isBucket(rest.at(-1))
        ? emit.hazard({ class: "infrastructure", level: 2, id: "aws-s3-sync-delete" }, "aws s3 sync --delete")
        : rest[1] && emit.delete(rest[1], "aws s3 sync --delete", { recursive: true });
    if (verb === "mv" && (both || isBucket(rest[0])))
      emit.hazard({ class: "infrastructure", level: 1, id: "aws-s3-mv" }, "aws s3 mv");
    return;
  }
  emit.effect({ kind: "network", program: call.name, host: rest[0]?.value, reason: `aws s3 ${verb}` });
  if (dry) return;
  if (verb === "rm")
    emit.hazard({ class: "infrastructure", level: given.has("recursive") ? 3 : 2, id: "aws-s3-rm" }, "aws s3 rm");
  if (verb === "rb")
    emit.hazard({ class: "infrastructure", level: given.has("force") ? 3 : 2, id: "aws-s3-rb" }, "aws s3 rb");
}

const gsutil: ToolFamily = {
  names: ["gsutil", "s3cmd", "s5cmd", "s4cmd", "mc", "b2", "azcopy", "ossutil"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "m q D o= h= u= i= c|config= profile= endpoint-url= r|R|recursive d|delete|delete-removed n|dry-run x= acl-public",
      ),
    );
    const [verb, ...rest] = given.operands;
    const name = verb?.value ?? "";
    if (/^(cp|mv|rsync|sync|put|get|mirror|copy|upload-file|file|pipe)$/.test(name)) {
      const operands =
        call.name === "mc"
          ? rest.map((word) =>
              /^\w+\/\w/.test(word.value ?? "") && !/^[./]/.test(word.value ?? "")
                ? literal(`s3://${word.value}`)
                : word,
            )
          : rest;
      const remote =
        name === "put" || name === "upload-file"
          ? [...operands, ...(operands.some(isBucket) ? [] : [literal("s3://bucket")])]
          : operands;
      bucketCopy(name, remote, given.has("recursive"), given.has("dry-run"), call, emit);
      if (given.has("delete") && !given.has("dry-run"))
        emit.hazard({ class: "infrastructure", level: 2, id: `${call.name}-delete` }, `${call.name} ${name} -d`);
      return;
    }
    emit.effect({ kind: "network", program: call.name, host: rest[0]?.value, reason: `${call.name} ${name}` });
    if (/^(rm|rb|del|remove|delete-bucket|rmb|delete-file-version)$/.test(name) && !given.has("dry-run"))
      emit.hazard(
        { class: "infrastructure", level: given.has("recursive") || name === "rb" ? 3 : 2, id: `${call.name}-${name}` },
        `${call.name} ${name}`,
      );
  },
};

const gcloud: ToolFamily = {
  names: ["gcloud", "bq", "cbt"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "project= account= configuration= format= filter= zone= region= location= quiet q verbosity= impersonate-service-account= secret= command= r|recursive f|force",
      ),
    );
    const words = given.operands
      .map((word) => word.value ?? "")
      .filter((word, index) => index > 0 || !/^(alpha|beta)$/.test(word));
    const [group, sub, verb] = words;
    emit.effect({
      kind: "network",
      program: call.name,
      host: group,
      reason: `${call.name} ${words.slice(0, 3).join(" ")}`,
    });
    if (group === "compute" && sub === "ssh") {
      const command = given.value("command");
      return command ? emit.remote(command, given.operands[2]?.value, "gcloud compute ssh") : undefined;
    }
    if (group === "storage" && /^(cp|mv|rsync)$/.test(sub ?? "")) {
      bucketCopy(sub!, given.operands.slice(2), given.has("recursive"), given.has("dry-run"), call, emit);
      return;
    }
    if (
      /^print-(access|identity|refresh)-token$/.test(sub ?? verb ?? "") ||
      (group === "secrets" && words.includes("access")) ||
      (group === "auth" && verb === "print-access-token")
    )
      return emit.hazard({ class: "credential-read", level: 2, id: "gcloud-credential" }, "gcloud shows a credential");
    if (call.name === "bq" && group === "query")
      for (const text of [
        ...given.operands.slice(1),
        ...(call.stdin.kind === "text" ? [literal(call.stdin.text)] : []),
      ])
        for (const hazard of sqlHazards(text.value ?? "")) emit.hazard(hazard, `bq: ${hazard.id}`);
    if (call.name === "bq" && group === "rm")
      return emit.hazard({ class: "database", level: given.has("recursive", "force") ? 3 : 2, id: "bq-rm" }, "bq rm");
    const at = words.findIndex((word) =>
      /^(delete|rm|destroy|remove-iam-policy-binding|reset|detach-disk)$/.test(word),
    );
    if (at < 1) return;
    const disaster =
      /^(projects|sql|container|spanner|bigtable|dataproc|filestore|redis|kms|organizations)$/.test(group ?? "") ||
      (group === "storage" && given.has("recursive")) ||
      (group === "compute" && /^(instances|disks|snapshots|networks)$/.test(sub ?? "")) ||
      (group === "storage" && sub === "buckets");
    emit.hazard(
      { class: "infrastructure", level: disaster ? 3 : 2, id: `gcloud-${group}-delete` },
      `gcloud ${words.slice(0, at + 1).join(" ")}`,
    );
  },
};

const az: ToolFamily = {
  names: ["az", "azd"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "n|name= g|resource-group= subscription= o|output= query= f|file= s|source= d|destination= c|container= container-name= account-name= account-key= vault-name= l|location= p|path= ids= scripts= command-id= y|yes",
      ),
    );
    const words = given.operands.map((word) => word.value ?? "");
    const verb = words.at(-1) ?? "";
    const uploads = /^upload(-batch)?$/.test(verb) || words.includes("upload");
    emit.effect({
      kind: "network",
      program: call.name,
      host: words[0],
      reason: `az ${words.join(" ")}`,
      ...(uploads && { upload: true }),
    });
    if (uploads)
      for (const file of given.values("file", "source")) emit.read(file, "az uploads it", { recursive: true });
    if (/^download(-batch)?$/.test(verb))
      for (const file of given.values("file", "destination")) emit.write(file, "az downloads it");
    if (
      verb === "get-access-token" ||
      (words[0] === "keyvault" && /^(show|download)$/.test(verb)) ||
      (words.includes("keys") && verb === "list")
    )
      return emit.hazard({ class: "credential-read", level: 2, id: "az-credential" }, "az shows a credential");
    for (const script of given.values("scripts")) emit.remote(script, words[0], "az run-command");
    if (words.includes("down") && call.name === "azd")
      return emit.hazard({ class: "infrastructure", level: 3, id: "azd-down" }, "azd down");
    if (!/^(delete|purge|remove|delete-batch|deallocate|stop|restart)$/.test(verb)) return;
    const disaster =
      /^(delete|purge|delete-batch)$/.test(verb) &&
      /^(group|sql|postgres|mysql|cosmosdb|aks|vm|disk|keyvault|storage|backup|network|redis|ad|deployment)$/.test(
        words[0] ?? "",
      ) &&
      !(words[0] === "storage" && /^(blob|file)$/.test(words[1] ?? "") && verb === "delete");
    emit.hazard(
      { class: "infrastructure", level: disaster ? 3 : 2, id: `az-${words[0]}-${verb}` },
      `az ${words.join(" ")}`,
    );
  },
};

const providers = cli({
  names:
    "doctl linode-cli hcloud vultr-cli scw ibmcloud oci aliyun civo exo upctl ovhcloud openstack nova govc virsh proxmox pvesh qm pct vagrant multipass lima limactl colima vboxmanage VBoxManage vmrun",
  reaches: "network",
  takes: "context= token= config= region= format= o= output= name= c|command=",
  verbs: [
    {
      path: "ssh|shell|exec",
      does: ({ call, given, raw }, emit) => {
        const text =
          given.value("command") ??
          commandLine(raw.slice(raw.findIndex((word) => word.value === "--") + 1 || raw.length));
        emit.remote(text, given.operands[1]?.value, `${call.name} ssh`);
      },
    },
    ...all("infrastructure:3", [
      "kubernetes|databases|projects delete",
      "* cluster delete",
      "* droplet delete",
      "database delete",
    ]),
    ...all("infrastructure:2", [
      "* * delete|destroy|remove|rm|terminate|rebuild|reset",
      "* delete|destroy|remove|rm|terminate|rebuild|reset|undefine|purge",
      "delete|destroy|undefine|purge",
    ]),
  ],
});

export const cloud = [aws, gsutil, gcloud, az, providers];

// Infrastructure as code and configuration management: terraform, pulumi, cdk, ansible and their kin.
// Invariant: destroying a whole stack is a proven disaster; changing one is dangerous; planning is quiet.

import { literal } from "../spec/options.js";
import { all, cli, commandLine } from "./commands.js";
import { executes } from "./table.js";

const terraform = cli({
  names: "terraform tofu terragrunt tf opentofu",
  style: { oneDash: true },
  takes:
    "chdir= var= var-file= target= out= state= state-out= backup= backend-config= parallelism= lock-timeout= replace= plugin-dir= generate-config-out= terragrunt-working-dir=",
  verbs: [
    { path: "destroy|apply-all-destroy|destroy-all", hazard: "infrastructure:3", id: "terraform-destroy" },
    { path: "apply|apply-all", needs: ["destroy"], hazard: "infrastructure:3", id: "terraform-destroy" },
    { path: "run-all destroy", hazard: "infrastructure:3", id: "terraform-destroy" },
    { path: "run-all apply", hazard: "infrastructure:2", id: "terraform-apply" },
    { path: "apply|apply-all", hazard: "infrastructure:2", id: "terraform-apply" },
    ...all("infrastructure:2", ["state rm|push|mv", "workspace delete", "force-unlock", "taint|untaint"]),
    ...all("infrastructure:1", ["import"]),
    {
      path: "fmt",
      unless: ["check"],
      does: ({ rest }, emit) => emit.write(rest[0] ?? literal("."), "terraform fmt", { recursive: true, glob: true }),
    },
    {
      path: "plan",
      does: ({ given }, emit) => {
        for (const file of given.values("out")) emit.write(file, "terraform plan -out");
      },
    },
    {
      path: "init|get",
      does: (_use, emit) => emit.write(literal(".terraform"), "terraform init", { recursive: true }),
    },
  ],
});

const stacks = cli({
  names: "pulumi",
  takes: "s|stack= C|cwd= m|message= p|parallel= t|target= c|config= config-file= color= policy-pack=",
  verbs: [
    { path: "destroy|down", unless: ["preview-only"], hazard: "infrastructure:3", id: "pulumi-destroy" },
    { path: "up|update", hazard: "infrastructure:2", id: "pulumi-up" },
    { path: "stack rm|remove", hazard: "infrastructure:3", id: "pulumi-stack-rm" },
    ...all("infrastructure:2", ["state delete|unprotect|rename", "cancel", "refresh", "import", "config rm"]),
    { path: "config get", hazard: "credential-read:1", needs: ["show-secrets"] },
  ],
});

const deployers = cli({
  names: "cdk cdktf serverless sls sam sst amplify copilot-cli eb eksctl kops nomad consul packer spacectl",
  takes:
    "a|app= c|context= profile= region= r= stage= s= stack-name= config-file= o|output= p|plugin= name= cluster= f=",
  verbs: [
    ...all("infrastructure:3", ["destroy", "delete cluster|nodegroup", "cluster delete", "remove", "terminate"]),
    { path: "delete", needs: ["no-prompts"], hazard: "infrastructure:3", id: "sam-delete" },
    {
      path: "kv delete",
      does: ({ call, given, rest }, emit) =>
        emit.hazard(
          {
            class: "infrastructure",
            level: given.has("recurse") && !rest[0]?.value?.replace(/\//g, "") ? 3 : 2,
            id: `${call.name}-kv-delete`,
          },
          `${call.name} kv delete`,
        ),
    },
    ...all("infrastructure:3", ["namespace delete"]),
    ...all("infrastructure:2", [
      "delete",
      "deploy",
      "up",
      "job stop",
      "volume|acl|quota|var|operator|node delete|purge|deregister|detach|drain",
      "leave|force-leave",
      "acl|connect|config|intention * delete",
      "config|intention delete",
      "system gc",
      "services deregister",
      "snapshot restore",
      "job purge",
    ]),
  ],
});

const keyStores = cli({
  names: "etcdctl zkCli.sh zkcli",
  reaches: "network",
  takes: "endpoints= cacert= cert= key= user= server=",
  verbs: [
    { path: "del", needs: ["prefix", "from-key"], hazard: "database:3", id: "etcd-delete-all" },
    ...all("database:2", ["del|rm|delete|deleteall|rmr", "member remove", "user|role delete", "snapshot restore"]),
    { path: "get", hazard: "credential-read:1", needs: ["prefix"] },
  ],
});

/** ansible runs modules on many machines at once. */
const ansible = cli({
  names: "ansible",
  takes:
    "m|module-name= a|args= i|inventory= l|limit= u|user= e|extra-vars= f|forks= t|tree= c|connection= private-key= become-user= become-method= vault-password-file=",
  verbs: [],
  otherwise({ call, given }, emit) {
    emit.effect({ kind: "network", program: "ansible", reason: "ansible reaches the hosts of its inventory" });
    const module = given.value("module-name")?.value ?? "command";
    const text = given.value("args");
    if (given.has("check", "list-hosts", "syntax-check")) return;
    if (/^(shell|command|raw|script)$/.test(module))
      return text ? emit.remote(text, given.operands[0]?.value, "ansible runs it there") : undefined;
    if (/^(ping|setup|debug|stat|gather_facts|assert)$/.test(module)) return;
    const absent = /state=absent/.test(text?.value ?? "");
    emit.hazard(
      { class: "infrastructure", level: absent ? 2 : 1, id: absent ? "ansible-absent" : "ansible" },
      `${call.name} -m ${module}`,
    );
  },
});

const playbook = cli({
  names: "ansible-playbook ansible-pull puppet chef-client chef-solo salt salt-call cfn",
  takes: "i|inventory= l|limit= e|extra-vars= t|tags= u|user= skip-tags= vault-password-file= private-key=",
  verbs: [],
  otherwise({ call, given }, emit) {
    if (given.has("check", "syntax-check", "list-tasks", "list-hosts", "noop", "why-run")) return;
    executes(call, emit, `${call.name} changes the machines of its inventory`);
    const shell = given.operands.findIndex((word) => /^cmd\.(run|run_all|shell)$/.test(word.value ?? ""));
    if (shell >= 0) emit.remote(given.operands[shell + 1], given.operands[0]?.value, `${call.name} runs it there`);
    const ends = given.operands.some((word) =>
      /(^|[/_.-])(destroy|teardown|tear-down|wipe|uninstall|decommission|purge)/i.test(word.value ?? ""),
    );
    emit.hazard(
      { class: "infrastructure", level: ends ? 2 : 1, id: "configuration-run" },
      `${call.name} changes machines`,
    );
  },
});

/** One command on many machines. */
const many = cli({
  names: "pssh parallel-ssh pdsh clush dsh mssh cssh prsync-run",
  takes: "h|hosts= H|host= l|user= p|par= o|outdir= e|errdir= t|timeout= O|options= w= g= x= f= i",
  verbs: [],
  otherwise({ call, rest }, emit) {
    emit.remote(commandLine(rest), undefined, `${call.name} runs it on many machines`);
  },
});

const quietAnsible = cli({
  names:
    "ansible-doc ansible-lint ansible-inventory ansible-config ansible-galaxy ansible-vault tflint tfsec checkov terraform-docs infracost terrascan",
  takes: "i= o=",
  verbs: [{ path: "view|decrypt", hazard: "credential-read:2", id: "ansible-vault" }],
});

export const infrastructure = [terraform, stacks, deployers, ansible, playbook, many, quietAnsible, keyStores];

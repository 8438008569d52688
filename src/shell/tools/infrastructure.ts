// Infrastructure as code and configuration management: terraform, pulumi, cdk, ansible and their kin.
// Invariant: destroying a whole stack is a proven disaster; changing one is dangerous; planning is quiet.
import { hazard } from "../../model/hazards.js";
import { type Code, tools } from "../spec/interpret.js";

const code: Code = {
  /** ansible runs one module on many machines at once. */
  module({ call, given, rest }, emit) {
    const module = given.value("module-name")?.value ?? "command";
    const text = given.value("args");
    if (/^(shell|command|raw|script)$/.test(module)) {
      if (text) emit.remote(text, rest[0]?.value, "ansible runs it there");
      return;
    }
    if (/^(ping|setup|debug|stat|gather_facts|assert)$/.test(module)) return;
    const absent = /state=absent/.test(text?.value ?? "");
    emit.hazard(hazard(absent ? "ansible-absent" : "ansible-change"), `${call.name} -m ${module}`);
  },
  /** salt '*' cmd.run 'uptime' */
  shellThere({ call, given: { operands } }, emit) {
    const at = operands.findIndex((word) => /^cmd\.(run|run_all|shell)$/.test(word.value ?? ""));
    if (at >= 0) emit.remote(operands[at + 1], operands[0]?.value, `${call.name} runs it there`);
  },
};

const teardown = ["destroy", "teardown", "tear-down", "wipe", "uninstall", "decommission", "purge"]
  .flatMap((word) => [`${word}*`, ...["/", "_", ".", "-"].map((before) => `*${before}${word}*`)])
  .join("|");

export const infrastructure = tools(
  "infrastructure",
  `
tool terraform tofu terragrunt tf opentofu
  style one-dash
  options chdir= var= var-file=read target= out=write state= state-out= backup= backup-out= backend-config= backend=?
    parallelism= lock=? lock-timeout= replace= plugin-dir= plugin-cache-dir= generate-config-out=write config=
    provider= type= platform= lockfile= from-module= test-directory= filter= path= log-level= working-dir=
    terragrunt-working-dir= terragrunt-config= terragrunt-source= terragrunt-include-dir= terragrunt-exclude-dir=
    terragrunt-parallelism= terragrunt-non-interactive terragrunt-log-level= non-interactive all a auto-approve
    compact-warnings destroy detailed-exitcode input=? json no-color refresh=? refresh-only upgrade reconfigure
    migrate-state force-copy get=? raw recursive check diff list=? write=? force id= draw-cycles terragrunt-tfpath=
    terragrunt-download-dir= terragrunt-iam-role= terragrunt-json-out= terragrunt-hclfmt-file=
    terragrunt-override-attr= terragrunt-modules-that-include= terragrunt-iam-assume-role-duration=
    terragrunt-iam-assume-role-session-name=
  destroy|destroy-all or apply|apply-all --destroy or run-all destroy : !terraform-destroy
  run ~destroy : !terraform-destroy
  apply|apply-all or run-all apply or run ~apply : !terraform-apply
  state rm|push|mv|replace-provider or workspace delete or force-unlock|taint|untaint : !state-change({path})
  import : !state-import({path})
  fmt --check : quiet
  fmt|hclfmt : write first else . all
  init|get : write ./.terraform tree
  plan|plan-all|validate|show|output|output-all|graph|providers|console|refresh|login|logout|metadata|test : quiet
  modules|query : quiet
  state list|show|pull|identities or workspace list|show|select|new : quiet
  run-all|run plan|validate|init|output|show|refresh|providers : quiet
  render-json|graph-dependencies|terragrunt-info|validate-inputs|hclvalidate|stack|find|list|info|dag|scaffold : quiet
  catalog : quiet
  otherwise unknown
tool pulumi
  options s|stack= C|cwd= m|message= p|parallel= t|target= c|config= config-file= config-path color= policy-pack=
    policy-pack-config= replace= target-replace= import-file=read v|verbose= logtostderr logflow tracing= profiling=
    memprofilerate= e|emoji fully-qualify-stack-names disable-integrity-checking non-interactive y|yes f|force
    skip-preview d|diff r|refresh=? show-secrets secret plaintext json j q expect-no-changes target-dependents remove
    preserve-config save-plan=write plan=read exclude= stack-config-file= o|output= a|all w|watch
  destroy|down --preview-only : quiet
  destroy|down : !stack-destroy(pulumi-destroy)
  up|update --preview-only : quiet
  up|update : !stack-change(pulumi-up)
  stack rm|remove : !stack-destroy(pulumi-stack-rm)
  state delete|unprotect|rename or cancel|refresh|import or config rm|rm-all : !stack-change({path})
  config get --show-secrets or config --show-secrets : !stack-secret({path})
  preview|pre|login|logout|whoami|about|logs|new|plugin|schema|version|watch|console|convert|env : quiet
  gen-completion|package : quiet
  stack|state|config|policy|org|project|install|deployment|ai|template|do : quiet
  otherwise unknown
tool cdk cdktf serverless sls sam sst amplify eb spacectl
# Letters that mean different things in these tools are not listed: both readings are tried.
  options a|app= c|context= profile= region= s|stage= stack-name= config-file= config-env= name= cluster= parameters=
    require-approval= progress= toolkit-stack-name= role-arn= template-file=read state= zones= node-count= nodegroup=
    kubeconfig= timeout= y|yes force no-prompts no-color tail all exclusively hotswap quiet debug json
    no-confirm-changeset capabilities= resolve-s3 guided parallel s3-bucket= env= event= parameter-overrides=
    auto-approve template= color= verbose output= plugin= monitor debug-port=
  destroy|remove|terminate or delete cluster|nodegroup or cluster delete : !stack-destroy({path})
  @sam delete --no-prompts : !stack-destroy({path})
  delete|deploy|up : !stack-change({path})
  synth|synthesize|diff|ls|list|bootstrap|doctor|docs|metadata|context|init|import|watch|notices|acknowledge : quiet
  ack|gc : quiet
  get|provider|login|convert|output|console|offline|info|print|package|invoke|logs|metrics|plugin|config|dev : quiet
  compose : quiet
  build|local|validate|sync|pipeline|remote|traces|publish|version|status|run|start|secret|shell|install : quiet
  diagnostic : quiet
  add|push|pull|env|configure|codegen|mock|hosting|api|function|generate|create|open|health|events|rollback : quiet
  use|clone|scale|swap|setenv|printenv|ssh|restore|select|platform|appversion|labs|abort|upgrade|tags : quiet
  utils|associate|enable|register|anywhere|set|export|edit|replace|rolling-update|toolbox|update|trust : quiet
  completion : quiet
  stack|module|policy|profile|worker-pool|whoami|blueprint|audit-trail|run-external-dependency : quiet
  studio|test|dashboard|generate-event|logout|param|slstats|serve|notifications|analytics|auth|storage|import : quiet
  otherwise unknown
tool eksctl kops
  options C|color= v|verbose= name= cluster= f|config-file|filename= r|region= p|profile= n|nodegroup= zones=
    node-count= state= kubeconfig= timeout= o|output= y|yes wait disable-nodegroup-eviction d|dumpLogs approve
    parallel= cloud= dry-run full internal admin=? unregister
  delete cluster|nodegroup : !stack-destroy({path})
  delete : !stack-change({path})
  get|create|info|utils|scale|upgrade|associate|disassociate|drain|enable|register|deregister|anywhere|set : quiet
  unset : quiet
  export|edit|replace|rolling-update|toolbox|update|validate|trust|completion|version|promote|reconcile : quiet
  otherwise unknown
tool nomad consul packer
  style one-dash
  options address= http-addr= namespace= region= token= token-file=read:use ca-file= ca-cert= client-cert= client-key=
    datacenter= stale=? var= var-file=read only= except= on-error= detach recurse cas modify-index= purge force yes
    no-color=? verbose json t= enable disable deadline= m= meta= monitor self name= id= type= separator= keys raw
    base64 dev config-dir= config-file= data-dir= bind= client= join= node= log-level= parallel-builds= timestamp-ui
    machine-readable task= job group= f n= tail stderr c check-index= output= policy-override tls-server-name=
  kv delete or leave|force-leave or services deregister : !stack-change({path})
  namespace delete : !stack-destroy({path})
  job stop|purge or system gc or snapshot restore : !stack-change({path})
  volume|acl|quota|var|operator|node delete|purge|deregister|detach|drain : !stack-change({path})
  acl|connect|config|intention * delete or config|intention delete : !stack-change({path})
  stop : !stack-change({name}-job-stop)
  members|catalog|kv|services|snapshot|monitor|agent|acl|connect|config|intention|keygen|keyring|join|lock : quiet
  maint|operator : quiet
  event|exec|license|login|logout|peering|reload|resource|rtt|tls|troubleshoot|watch|debug|validate|server : quiet
  client|info : quiet
  alloc|deployment|eval|fmt|inspect|fix|hcl2_upgrade|plugins|node|namespace|quota|var|volume|recommendation : quiet
  scaling : quiet
  service|system|ui|setup|action|node-pool|job|plan|run|status|build|init|console|logs|fs|version|sentinel : quiet
  node-status : quiet
  otherwise unknown

tool etcdctl zkCli.sh zkcli
  options endpoints= cacert= cert= key= user= password= server= w|write-out= command-timeout= dial-timeout=
    d|discovery-srv= insecure-skip-tls-verify insecure-transport=? hex debug keepalive-time= prefix from-key=?
    keys-only limit= order= sort-by= rev= lease= prev-kv count-only print-value-only consistency= range-end
    interactive data-dir= name= peer-urls= initial-cluster= initial-advertise-peer-urls= skip-hash-check timeout=
  reaches network
  del --prefix|from-key : !key-delete-all
  del|rm|delete|deleteall|rmr or member remove or user|role delete or snapshot restore : !key-delete({path})
  get --keys-only : quiet
  get --prefix : !key-read({path})
  get|put|ls|ls2|stat|create|set|watch|lease|lock|elect|endpoint|member|alarm|auth|user|role|snapshot|txn : quiet
  check|compaction : quiet
  defrag|make-mirror|move-leader|version|downgrade|sync|quit|history|config|getAcl|setAcl|addauth : quiet
  otherwise unknown

tool ansible
  options m|module-name= a|args= i|inventory= l|limit= u|user= e|extra-vars= f|forks= t|tree= c|connection=
    B|background= P|poll= T|timeout= M|module-path= private-key|key-file= become-user= become-method=
    become-password-file= vault-password-file= vault-id= ssh-common-args= ssh-extra-args= playbook-dir= b|become
    K|ask-become-pass k|ask-pass o|one-line D|diff v|verbose J|ask-vault-password flush-cache scp-extra-args=
    sftp-extra-args=
  dry C|check list-hosts syntax-check
  always network "reaches the hosts of its inventory"
  otherwise do module
tool ansible-playbook ansible-pull
  options i|inventory= l|limit= e|extra-vars= t|tags= u|user= skip-tags= vault-password-file= vault-id= f|forks=
    c|connection= become-user= become-method= become-password-file= start-at-task= ssh-common-args= U|url=
    ssh-extra-args= T|timeout= d|directory= o|only-if-changed M|module-path= b|become K|ask-become-pass k|ask-pass
    D|diff step force-handlers flush-cache v|verbose s|sleep= J|ask-vault-password full clean accept-host-key purge
    private-key|key-file= scp-extra-args= sftp-extra-args=
  dry C|check syntax-check list-tasks list-hosts list-tags
  ~${teardown} : exec "changes the machines of its inventory", !configuration-teardown
  otherwise exec "changes the machines of its inventory", !configuration-run
tool puppet chef-client chef-solo salt salt-call
  options t|timeout= l|log-level= E= L= G= N= S= C= I= c|config-dir= out= local local-mode z o|override-runlist= j= r=
    modulepath= environment= server= certname= e|execute= d|debug v|verbose b|batch-size= async s|static id=
    state-output= failhard
  dry noop why-run W test
  also #1+ : do shellThere
  ~${teardown} : exec "changes the machines of its inventory", !configuration-teardown
  ~test.ping|test.version|grains.*|sys.*|--version : quiet
  @puppet --version or @puppet lookup|facts|describe|help|parser|module|config : quiet
  otherwise exec "changes the machines of its inventory", !configuration-run
tool pssh parallel-ssh pdsh clush dsh mssh cssh
  style posix
  options h|hosts=read H|host= l|user= p|par= o|outdir=write:tree e|errdir=write:tree t|timeout= O|options= w= g= x=
    f= i|inline X|extra-args= A|askpass P|print v|verbose I|send-input a S b q u= R= N r M c= m=
  otherwise remote rest "runs it on many machines"
tool ansible-vault
  options vault-password-file= vault-id= encrypt-vault-id= output=write n|name= stdin-name= ask-vault-password J v
    new-vault-id=
  view|decrypt : !secret-decrypt(ansible-vault)
  encrypt|rekey|edit|create : write rest edit
  encrypt_string : quiet
  otherwise unknown
tool ansible-doc ansible-lint ansible-inventory ansible-config ansible-galaxy tflint tfsec checkov terraform-docs
tool infracost terrascan
  options i= o|output|out=
  otherwise quiet
`,
  code,
);

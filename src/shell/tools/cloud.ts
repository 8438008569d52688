// Cloud command lines: aws, gcloud, az, bucket tools and smaller providers.
// Invariant: a deletion is a hazard by its kind of resource; a copy between here and a bucket is a read and an upload,
// or a write; listing only reaches the network.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit } from "../analyze/tool.js";
import { type Code, commandLine, type SpecFamily, tools, type Use } from "../spec/interpret.js";
import { cut, isStream, literal } from "../spec/options.js";
import { judgeStatement, runStatementsOfInput } from "./statements.js";

const isBucket = (word: Arg | undefined) =>
  /^(s3|gs|b2|az|oss|cos):\/\/|^https:\/\//.test(word?.value ?? word?.prefix ?? "");

/** cp, mv, sync between this machine and a bucket: the last operand is the destination. */
function transfer({ call, given, path }: Use, operands: readonly Arg[], emit: Emit): void {
  const verb = path.at(-1)!;
  const target = operands.at(-1);
  const whole = given.has("recursive") || /^(sync|rsync|mirror)$/.test(verb) ? { recursive: true } : {};
  for (const source of operands.slice(0, -1)) {
    if (isBucket(source) || isStream(source)) continue;
    emit.read(source, `${call.name} ${verb} source`, whole);
    if (verb === "mv") emit.delete(source, `${call.name} mv takes it away`, whole);
  }
  if (target && !isBucket(target) && !isStream(target)) emit.write(target, `${call.name} ${verb} destination`, whole);
}

const copies = /^(cp|mv|sync|rsync|mirror|copy|put|upload-file)$/;

const code: Code = {
  /** Every use but the settings talks to the service, about the bucket it names. */
  reach({ call, rest }, emit) {
    const words = rest.map((word) => addressOfAlias(call.name, word));
    if (words.length === 0 || words[0]!.value === "configure") return;
    const verb = words.findIndex((word) => copies.test(word.value ?? ""));
    const operands = verb < 0 ? [] : words.slice(verb + 1);
    const upload =
      /^(put|upload-file)$/.test(words[verb]?.value ?? "") ||
      (isBucket(operands.at(-1)) && operands.some((word) => !isBucket(word)));
    emit.effect({
      kind: "network",
      program: call.name,
      host: words.findLast(isBucket)?.value,
      ...(upload && { upload }),
      reason: `${call.name} talks to its service`,
    });
  },
  copy(use, emit) {
    transfer(
      use,
      use.rest.map((word) => addressOfAlias(use.call.name, word)),
      emit,
    );
  },
  /** put, upload-file: the bucket may be named by an option or in another way. */
  send(use, emit) {
    transfer(use, use.rest.some(isBucket) ? use.rest : [...use.rest, literal("s3://bucket")], emit);
  },
  /** aws s3 sync --delete: files here or objects there. */
  syncDelete(use, emit) {
    transfer(use, use.rest, emit);
    const target = use.rest.at(-1);
    if (isBucket(target)) emit.hazard(hazard("bucket-delete", "aws-s3-sync-delete"), "aws s3 sync --delete");
    else if (target) emit.delete(target, "aws s3 sync --delete", { recursive: true });
  },
  move(use, emit) {
    transfer(use, use.rest, emit);
    if (isBucket(use.rest[0])) emit.hazard(hazard("bucket-move", "aws-s3-mv"), "aws s3 mv");
  },
  /** file://path and fileb://path, which aws reads itself. */
  fileAddress({ call, value }, emit) {
    if (/^fileb?:\/\//.test(value?.value ?? ""))
      emit.read(cut(value!, value!.value!.indexOf("//") + 2), `${call.name} sends it`);
  },
  /** --parameters 'commands=["rm -rf /"]' */
  sendCommand({ given }, emit) {
    const texts = (given.value("parameters")?.value ?? "").matchAll(/["'[]\s*((?:[^"'\]\\]|\\.)+)/g);
    for (const [, text] of texts) emit.remote(literal(text!), "ssm", "aws ssm send-command");
  },
  query({ call, rest }, emit) {
    for (const text of rest) judgeStatement(text, call, emit);
    runStatementsOfInput(call, emit, judgeStatement);
  },
  /** gcloud beta sql ...: a word that only chooses the edition. */
  withoutEdition({ call, given }, emit) {
    families
      .find(({ names }) => names.includes("gcloud"))!
      .lower({ ...call, args: call.args.filter((arg) => arg !== given.operands[0]) }, emit);
  },
  /** doctl compute ssh, vagrant ssh -c: what follows `--` or an option runs there. */
  shellThere({ call, given, raw }, emit) {
    const dashes = raw.findIndex((word) => word.value === "--");
    const text = given.value("command") ?? commandLine(dashes < 0 ? [] : raw.slice(dashes + 1));
    emit.remote(text, given.operands[1]?.value, `${call.name} ssh`);
  },
};

/** mc spells an address alias/bucket/key. */
const addressOfAlias = (program: string, word: Arg): Arg =>
  program === "mc" && /^\w+\/\w/.test(word.value ?? "") ? literal(`s3://${word.value}`) : word;

/** A verb at any of these places of the sub-command: "az sql db delete". `then` gets the verb's place. */
const atDepth = (places: readonly number[], first: string, verbs: string, then: (place: number) => string): string =>
  places.map((place) => `  ${[first, ...Array(place - 2).fill("*"), verbs].join(" ")} : ${then(place)}`).join("\n");

const quietAtDepth = (places: readonly number[], verbs: string): string => atDepth(places, "*", verbs, () => "quiet");

const looking = "list|ls|show|get|describe|get-*|list-*|show-*|describe-*|read|tail|search|lookup|info|status|wait";
const making = "create|add|add-*|set|set-*|update|update-*|deploy|start|enable|import|export|attach|connect|submit|run";

const families: SpecFamily[] = tools(
  "cloud",
  `
tool aws awslocal aws2
  options debug no-verify-ssl no-paginate no-sign-request no-cli-pager cli-auto-prompt no-cli-auto-prompt profile=
    region= output= query= endpoint-url= color= ca-bundle= cli-read-timeout= cli-connect-timeout= cli-binary-format=
    page-size= max-items= starting-token= cli-input-json=fileAddress cli-input-yaml=fileAddress payload=fileAddress
    zip-file=fileAddress secret-binary=fileAddress secret-string=fileAddress template-body=fileAddress
    policy-document=fileAddress body= parameters= command= bucket= key= exclude= include= acl= sse= storage-class=
    content-type= cache-control= metadata= grants= expires-in= name= id= names= ids= queue-url= topic-arn= target-arn=
    message= subject= secret-id= instance-ids= instance-id= stack-name= template-file= function-name=
    db-instance-identifier= db-cluster-identifier= table-name= cluster= cluster-name= service= services= task= tasks=
    task-definition= container= filters= filter= version-id= version-stage= receipt-handle= subscription-arn=
    kms-key-id= key-id= policy-name= policy-arn= user-name= role-name= role-arn= group-name= group-id= group-ids=
    file= image-id= image-ids= repository-name= log-group-name= log-group-names= log-stream-name= start-time=
    end-time= since= follow desired-count= document-name= targets= target= resource-arn= tags= tag-keys=
    volume-id= snapshot-id=
    vpc-id= subnet-id= hosted-zone-id= role-session-name= duration-seconds= max-results= limit=
    key-condition-expression= filter-expression= expression-attribute-values= item= capabilities= parameter-overrides=
    recursive quiet only-show-errors no-progress delete force exact-timestamps size-only follow-symlinks
    no-follow-symlinks summarize human-readable with-decryption force-delete-without-recovery skip-final-snapshot
    no-fail-on-empty-changeset force-new-deployment interactive
  dry dryrun dry-run generate-cli-skeleton=?
  always do reach
  help or * help #0 or * * help #0 : quiet
  configure get ~*secret*|*token*|*key* : !cloud-credential(aws-configure-get)
  configure export-credentials : !cloud-credential(aws-export-credentials)
  configure list|list-profiles|get : quiet
  configure : write ~/.aws/config own-store
  s3 sync --delete : do syncDelete
  s3 mv : do move
  s3 cp|sync : do copy
  s3 rm --recursive or s3 rb --force : !bucket-delete-whole({path})
  s3 rm|rb : !bucket-delete({path})
  s3 ls|mb|presign|website : quiet
  * assume-role|get-session-token|get-secret-value --query=*Expiration|*Arn|*ARN|*Name|*VersionId|*AssumedRoleUser* :
    network
  * get-secret-value|batch-get-secret-value|get-session-token|create-access-key|get-federation-token :
    !cloud-credential(aws-{2})
  * get-login-password|get-password-data|assume-role : !cloud-credential(aws-{2})
  * get-parameter|get-parameters|get-parameters-by-path|get-parameter-history --with-decryption :
    !cloud-credential(aws-{2})
  s3api get-object|select-object-content or lambda invoke : write first
  s3api put-object|upload-part : read --body, upload
  ssm send-command : do sendCommand
  ecs execute-command : remote --command
  *
    terminate-instances|delete-db-instance|delete-db-cluster|delete-bucket|delete-table|delete-global-table|delete-stack
    : !cloud-delete-whole({path})
  * delete-cluster|delete-file-system|delete-volume|delete-snapshot|delete-db-snapshot|delete-hosted-zone :
    !cloud-delete-whole({path})
  * schedule-key-deletion|delete-user-pool|delete-repository|delete-vault|delete-backup-vault|delete-recovery-point :
    !cloud-delete-whole({path})
  * delete-vpc|delete-organization|delete-domain|delete-replication-group|delete-environment|delete-user|delete-role :
    !cloud-delete-whole({path})
  * delete-object-version|delete-objects-version : !cloud-delete-whole({path})
  * delete-secret --force-delete-without-recovery|skip-final-snapshot : !cloud-delete-whole({path})
  * delete|delete-*|batch-delete-*|admin-delete-*|force-delete-*|bulk-delete-*|close-account|remove-*|deregister-* :
    !cloud-delete({path})
  * purge-*|detach-*|disable-*|revoke-*|reset-*|terminate-*|cancel-*|stop-*|reboot-*|disassociate-*|release-* :
    !cloud-delete({path})
  neptunedata execute-fast-reset : !cloud-delete-whole({path})
  * batch-delete|batch-remove-*|start-delete-*|start-batch-delete-* : !cloud-delete({path})
  * unsubscribe|untag-*|abort-*|reject-*|deactivate-* : !cloud-delete({path})
  ecs update-service --desired-count=0 : !cloud-delete({path})
  * put-user-policy|put-group-policy|attach-group-policy|add-user-to-group|create-login-profile :
    !cloud-access({path})
  * update-assume-role-policy :
    !cloud-access({path})
  * update-secret*|put-bucket-policy*|put-secret-value*|put-role-policy*|attach-user-policy*|attach-role-policy* :
    !cloud-access({path})
  * put-public-access-block*|modify-db-instance*|authorize-security-group-ingress*|put-bucket-acl*|put-object-acl* :
    !cloud-access({path})
  * restore-db* : !cloud-access({path})
  cloudformation deploy|create-stack|update-stack|execute-change-set : !cloud-deploy({path})
  * describe-*|list-*|get-*|head-*|search-*|lookup-*|batch-get-*|query|scan|filter-*|tail|wait|validate-*|simulate-* :
    quiet
  * estimate-*|check-*|preview-*|view-*|detect-*|test-*|select-*|receive-message|decode-*|verify|discover-* : quiet
  * create-*|update-*|put-*|start-*|run-*|invoke*|modify-*|register-*|associate-*|attach-*|enable-*|tag-*|add-*|set-*
    : quiet
  * send-*|publish|publish-*|copy-*|import-*|export-*|restore-*|request-*|allocate-*|authorize-*|accept-*|activate-* :
    quiet
  * confirm-*|execute-*|generate-*|apply-*|change-*|promote-*|rotate-*|resume-*|retry-*|schedule-*|subscribe|sync-* :
    quiet
  * upload-*|transact-*|batch-*|assign-*|assume-*|complete-*|initiate-*|login|logout|package|deploy|push|install :
    quiet
  * encrypt|decrypt|sign|re-encrypt|build|rebuild-*|live-tail|update-kubeconfig : quiet
  otherwise unknown

tool gsutil
  options m q|quiet D DD o= h= u= i= c n r|R|recursive d|delete x= a= e p P v z= Z j= J U I L=
  always do reach
  rsync --n : quiet
  rsync --delete : do copy, !bucket-delete({name}-delete)
  cp|mv|rsync : do copy
  rm|rb --recursive or rb : !bucket-delete-whole({path})
  rm : !bucket-delete({path})
  ls|cat|stat|du|hash|mb|acl|cors|iam|label|lifecycle|logging|notification|versioning|web|config|perfdiag : quiet
  setmeta : quiet
  signurl|test|update|version|compose|rewrite|retention|requesterpays|bucketpolicyonly|ubla|pap|kms|hmac : quiet
  autoclass : quiet
  otherwise unknown
tool s3cmd
  options c|config=read:use r|recursive delete-removed force f P|acl-public acl-private acl-grant= exclude= include=
    rexclude= rinclude= exclude-from=read include-from=read host= host-bucket= region= access_key= secret_key=
    access-token= m|mime-type= M|guess-mime-type add-header= remove-header= storage-class= limit= v|verbose q|quiet
    no-progress progress s|secure e|encrypt skip-existing continue H|human-readable-sizes l|list-md5 d|debug
  dry n|dry-run
  always do reach
  sync --delete-removed : do copy, !bucket-delete({name}-delete)
  sync|get|mv|cp : do copy
  put : do send
  rb or rm|del|rm|remove --recursive : !bucket-delete-whole({path})
  rm|del|remove|expire|delpolicy|delcors|dellifecycle|multipart|abortmp : !bucket-delete({path})
  ls|la|mb|info|du|modify|setacl|setpolicy|setcors|accesslog|sign|signurl|fixbucket|ws-create|ws-info|cfinfo : quiet
  cflist : quiet
  otherwise unknown
tool s5cmd s4cmd mc b2 azcopy ossutil
  options r|R|recursive d|delete|remove delete-destination=? p|profile= endpoint-url= credentials-file=read:use
    C|config-dir= c|config-file= config= json log= numworkers= retry-count= no-sign-request no-verify-ssl n|no-clobber
    s|if-size-differ u|if-source-newer acl= storage-class= sse= concurrency= part-size= exclude= include=
    include-pattern= exclude-pattern= exclude-path= include-path= overwrite= from-to= put-md5 log-level= output-type=
    cap-mbps= q|quiet debug insecure older-than= newer-than= a|attr= e= w|watch i= k= f|force t= versions bypass
    force-local minAge= threads= contentType= info= noProgress skipNewer replaceNewer delete-other keepDays=
    allowEmptySource
  dry dry-run=? dryRun
  always do reach
  cp|mv|sync|mirror|copy|get|pipe|cat|file --delete|delete-destination : do copy, !bucket-delete({name}-delete)
  cp|mv|sync|mirror|copy|get|file : do copy
  put|upload-file : do send
  rb or rm|del|remove|rmb|delete-bucket|delete-file-version --recursive : !bucket-delete-whole({path})
  rm|del|remove|rmb|delete-bucket|delete-file-version|undo : !bucket-delete({path})
  bucket delete or file hide : !bucket-delete({path})
  ls|list|stat|du|cat|head|tail|find|tree|diff|mb|mkb|make|pipe|run|alias|admin|policy|version|tag|share|sql : quiet
  ping|ready : quiet
  list-*|get-*|create-bucket|update-bucket|authorize-account|account|bucket|jobs|login|logout|bench|benchmark : quiet
  env|doc : quiet
  download-file*|download_file* : write last
  otherwise unknown

tool gcloud
  options project= account= configuration= format= filter= zone= region= location= q|quiet verbosity=
    user-output-enabled=? impersonate-service-account= access-token-file=read:use billing-project= flags-file=read
    log-http secret= command= r|R|recursive f|force limit= sort-by= page-size= uri flatten= trace-token= async tag=
    source= image= platform= service-account= member= role= key= keyring= cluster= database= instance= member-role=
    set-env-vars= update-env-vars= memory= cpu= max-instances= min-instances= machine-type= network= subnet= port=
    timeout= a= n|dry-run=? strip-ansi allow-unauthenticated no-allow-unauthenticated config=read data-file=read
    description= display-name= version= delete-unmatched-destination-objects freshness= order= ssh-key-file=read:use
    tunnel-through-iap internal-ip
  always do reach
  help or * help #0 or * * help #0 : quiet
  alpha|beta|preview : do withoutEdition
  compute ssh --command : remote --command at first
  storage cp|mv|rsync --dry-run : quiet
  storage cp|mv|rsync : do copy
  * print-access-token|print-identity-token|print-refresh-token : !cloud-credential(gcloud-credential)
  auth * print-access-token|print-identity-token|print-refresh-token : !cloud-credential(gcloud-credential)
  secrets versions access or secrets access : !cloud-credential(gcloud-credential)
${atDepth(
  [2, 3, 4, 5],
  "projects|sql|container|spanner|bigtable|dataproc|filestore|redis|kms|organizations",
  "delete|rm|destroy|remove-iam-policy-binding|reset|detach-disk",
  () => "!cloud-delete-whole(gcloud-{1}-delete)",
)}
  storage rm --recursive or storage buckets delete : !cloud-delete-whole(gcloud-{1}-delete)
  compute instances|disks|snapshots|networks delete|reset|detach-disk : !cloud-delete-whole(gcloud-{1}-delete)
  compute networks * delete : !cloud-delete-whole(gcloud-{1}-delete)
${atDepth(
  [2, 3, 4, 5],
  "*",
  "delete|rm|destroy|remove-iam-policy-binding|reset|detach-disk",
  () => "!cloud-delete(gcloud-{1}-delete)",
)}
  iam service-accounts keys create or * * keys create : !cloud-access(gcloud-keys-create)
${atDepth([2, 3, 4], "*", "add-iam-policy-binding|set-iam-policy", () => "!cloud-access(gcloud-{1}-access)")}
  config|components|info|feedback|topic|cheat-sheet|survey|init : quiet
  auth login|list|revoke|activate-service-account|configure-docker|application-default : quiet
${quietAtDepth([2, 3, 4, 5], `${looking}|${making}|versions|call|log|logs|browse|copy|ssh|scp|cat|du|hash`)}
${quietAtDepth([2, 3, 4], "patch|stop|suspend|resume|promote|rollback|invoke|execute|pull|publish|ack|sign-url")}
  otherwise unknown
tool bq
  options project_id= dataset_id= location= format= q|quiet headless synchronous_mode=? sync=? job_id= api= debug_mode
    n|max_rows= start_row= use_legacy_sql=? nouse_legacy_sql destination_table= append_table=? replace=? r|recursive
    f|force d|dataset t|table m|model j|job schema=read source_format= skip_leading_rows= autodetect=? noautodetect
    time_partitioning_field= time_partitioning_type= clustering_fields= description= expiration= label= set_label=
    maximum_bytes_billed= parameter= batch=? use_cache=? destination_format= field_delimiter= compression= apilog=
    service_account= fingerprint_job_id= bigqueryrc=read:use require_cache=? flatten_results=? a|all
  dry dry_run=? dry-run=?
  reaches network
  query : do query
  rm --recursive|force : !warehouse-remove-whole({path})
  rm : !warehouse-remove({path})
  load ~gs://* : quiet
  load : read 2, upload
  ls|show|head|mk|cp|extract|wait|info|init|shell|update|insert|partition|get-iam-policy : quiet
  add-iam-policy-binding : quiet
  cancel|version : quiet
  otherwise unknown
tool cbt
  options project= instance= creds=read:use timeout= admin-endpoint= data-endpoint= user-agent=
  reaches network
  ls|read|count|lookup|listclusters|listinstances|listappprofile|getappprofile|doc|mddoc|notices : quiet
  createtable|createfamily|createinstance|set|import : quiet
  otherwise unknown

tool az
  options n|name= g|resource-group= subscription= o|output= query= f|file= s|source= d|destination= c|container=
    container-name= account-name= account-key= connection-string= sas-token= auth-mode= vault-name= l|location=
    p|path= ids= id= scripts= command-id= y|yes no-wait debug verbose only-show-errors u|username= tenant=
    t|tag|image= r|registry= settings= set= server= database= sku= size= image-name= kind= parameters=
    template-file=read runtime= resource-type= admin-user= admin-password= ssh-key-values= generate-ssh-keys
    node-count= slot= src= src-path= type= version= pattern=
  also ~upload|upload-batch : upload
  also !~upload|upload-batch : network
  * upload|upload-batch or * * upload|upload-batch or * * * upload : read --file|source tree
  * * download|download-batch or * download : write --file|destination
  account get-access-token or * get-access-token : !cloud-credential(az-credential)
  keyvault show|download or keyvault * show|download : !cloud-credential(az-credential)
  * keys list or * * keys list : !cloud-credential(az-credential)
  vm|vmss run-command invoke|create --scripts : remote --scripts at 1
  storage blob|file delete : !cloud-delete({name}-{1}-{3})
${atDepth(
  [2, 3, 4],
  "group|sql|postgres|mysql|cosmosdb|aks|vm|disk|keyvault|storage|backup|network|redis|ad|deployment",
  "delete|purge|delete-batch",
  (place) => `!cloud-delete-whole({name}-{1}-{${place}})`,
)}
${atDepth(
  [2, 3, 4],
  "*",
  "delete|purge|remove|delete-batch|deallocate|stop|restart",
  (place) => `!cloud-delete({name}-{1}-{${place}})`,
)}
  login|logout|version|upgrade|find|feedback|interactive|configure|config|extension|cloud|rest|self-test : quiet
${quietAtDepth([2, 3, 4], `${looking}|${making}|up|down|build|login|check-*|exists|generate-*|invoke|browse`)}
${quietAtDepth([2, 3, 4], "clear|logout|task|repository|scale|resize|restore|config|ssh|log|credential|query")}
  otherwise unknown
tool azd
  options e|environment= C|cwd= debug no-prompt purge force all docs
  reaches network
  down : !stack-destroy({path})
  up|deploy|provision|package|init|env|auth|config|monitor|pipeline|restore|show|template|hooks|add|build : quiet
  infra|login : quiet
  otherwise unknown

tool doctl linode-cli hcloud vultr-cli scw ibmcloud oci aliyun civo exo upctl ovhcloud openstack nova govc virsh
tool pvesh qm pct vagrant multipass lima limactl colima vboxmanage VBoxManage vmrun
  options context= t|access-token|token= config= region= format= o|output= name= c|command= f|force y|yes trace
    no-header u|api-url= profile= compartment-id= label= size= image= ssh-keys= tag-names= wait q|quiet json text
    os-cloud= project= zone= id= type= location= ssh-key= debug a|all config-file=read:use auth= key-file=read:use
    wait-for-state= max-wait-seconds= wait-interval-seconds= output-format=
  reaches network
  ssh|shell|exec or compute ssh : do shellThere
  kubernetes|databases|projects delete : !cloud-delete-whole({path})
  * cluster delete or * droplet delete or database delete : !cloud-delete-whole({path})
  * * * delete|destroy|remove|rm : !cloud-delete({path})
  * * delete|destroy|remove|rm|terminate|rebuild|reset : !cloud-delete({path})
  * delete|destroy|remove|rm|terminate|rebuild|reset|undefine|purge : !cloud-delete({path})
  delete|destroy|undefine|purge : !cloud-delete({path})
  account|auth|version|completion|login|logout|help|config|context|init|doc|docs|plugin|plugins|api|feedback : quiet
  list|ls|info|status|start|up|stop|halt|suspend|resume|reload|restart|launch|port|global-status|validate : quiet
  ssh-config : quiet
  create|clone|set|startvm|controlvm|showvminfo|showmediuminfo|vms|dumpxml|dominfo|domstate|net-list|pool-list : quiet
  vol-list : quiet
  provision|package|snapshot|box|edit|copy|transfer|mount|umount|prune|find|get|about|vm.*|host.*|ls.* : quiet
${quietAtDepth([2, 3], `${looking}|${making}|save|kubeconfig|power-*|reboot|shutdown|on|off|resize|attach*|detach*`)}
${quietAtDepth([3, 4], `${looking}|${making}|save|rename|snapshot|actions|remove-*`)}
  otherwise unknown
`,
  code,
);

export const cloud = families;

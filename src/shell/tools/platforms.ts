// Code hosts, continuous integration and hosting platforms: gh, glab, heroku, fly, vercel and their kin.
// Invariant: looking is network only; what publishes is an upload; what deletes a repository, an app or its data is a
// hazard.
import { hazard } from "../../model/hazards.js";
import type { Arg } from "../analyze/tool.js";
import { type Code, commandLine, tools } from "../spec/interpret.js";
import { isStream, literal } from "../spec/options.js";
import { judgeStatement, runStatementFile, runStatementsOfInput } from "./statements.js";

/** `heroku run 'rails c' -a app`: the platform's own options may stand behind the command. */
const platformOption = /^(-a|--app|-r|--remote|-s|--size|-e|--env)$/;

const code: Code = {
  /** gh api, glab api: the method decides; fields make it a POST. */
  api({ call, given, rest }, emit) {
    const fields = given.values("field", "raw-field", "input");
    const method = (given.value("method")?.value ?? (fields.length ? "POST" : "GET")).toUpperCase();
    for (const file of given.values("input")) if (!isStream(file)) emit.read(file, `${call.name} api sends it`);
    for (const field of given.values("field")) {
      const path = /^[^=]*=@(.+)$/.exec(field.value ?? "")?.[1];
      if (path && path !== "-") emit.read(literal(path), `${call.name} api sends it`);
    }
    emit.effect({
      kind: "network",
      program: call.name,
      host: rest[0]?.value,
      reason: `${call.name} api ${method}`,
      ...(method !== "GET" && { upload: true }),
    });
    const address = (rest[0]?.value ?? rest[0]?.prefix ?? "").replace(/^https?:\/\/[^/]+/, "").replace(/[?#].*$/, "");
    for (const found of changesOf(
      method,
      address,
      fields.map(({ value }) => value ?? ""),
    ))
      emit.hazard(
        hazard(found, found.startsWith("api-delete") ? `${call.name}-api-delete` : undefined),
        `${call.name} api ${method}`,
      );
  },
  clone({ call, rest: [repo, folder] }, emit) {
    const name = repo?.value
      ?.replace(/\.git$/, "")
      .split("/")
      .at(-1);
    const target = folder ?? (name ? literal(name) : undefined);
    if (target) emit.write(target, `${call.name} clones into it`, { recursive: true });
  },
  /** hub is git with more sub-commands. */
  git: ({ call }, emit) => emit.run([literal("git"), ...call.args], "hub hands it to git"),
  sqlOption({ call, given }, emit) {
    for (const text of given.values("command")) judgeStatement(text, call, emit);
    for (const file of given.values("file")) runStatementFile(file, call, emit, judgeStatement);
  },
  sqlOperand({ call, rest }, emit) {
    for (const text of rest.slice(1)) judgeStatement(text, call, emit);
  },
  sqlInput: ({ call }, emit) => runStatementsOfInput(call, emit, judgeStatement),
  runThere({ call, raw, given }, emit) {
    const told = call.name.startsWith("fly") ? given.value("command") : undefined;
    const isOwn = (word: Arg | undefined) => platformOption.test(word?.value ?? "");
    const words = raw.filter((word, at) => !isOwn(word) && !isOwn(raw[at - 1]) && !/^--app=/.test(word.value ?? ""));
    const at = words.findIndex((word) => !word.value?.startsWith("-"));
    const command = told ?? commandLine(at < 0 ? [] : words.slice(at));
    const isShell = /^(ba|da|z)?sh$/.test(command?.value ?? "");
    const text = isShell && call.stdin.kind === "text" ? literal(call.stdin.text) : command;
    emit.remote(text, undefined, "runs on the platform");
  },
};

type ApiHazard = "api-delete-whole" | "api-delete" | "host-protection" | "repo-publish" | "repo-change";
const wholeRepository = /^\/?(repos|projects|orgs|groups)\/[^/]+(\/[^/]+)?\/?$/;
/** What guards a branch, or says who may change the repository. */
const guardsRepository =
  /\/(?:protection|rulesets|protected_branches|push_rule|approval_rules|collaborators|members|hooks|keys|environments)(?:\/|$)/;

/** What a call of a code host's interface changes that a person should know of. */
function changesOf(method: string, address: string, fields: readonly string[]): ApiHazard[] {
  if (/^\/?graphql$/.test(address)) return fields.flatMap(mutationsOf);
  if (method === "DELETE") return [wholeRepository.test(address) ? "api-delete-whole" : "api-delete"];
  if (method === "GET" || method === "HEAD") return [];
  if (guardsRepository.test(address)) return ["host-protection"];
  if (/\/transfer$/.test(address)) return ["repo-change"];
  if (!wholeRepository.test(address)) return [];
  if (fields.some((field) => /^(?:private=false|visibility=public)$/.test(field))) return ["repo-publish"];
  return fields.some((field) => /^(?:archived|visibility|private|default_branch|name)=/.test(field))
    ? ["repo-change"]
    : [];
}

function mutationsOf(field: string): ApiHazard[] {
  if (!/^query=\s*mutation\b/.test(field)) return [];
  if (/\bdelete(?:Repository|Project\w*|Environment)\b/.test(field)) return ["api-delete-whole"];
  if (/\b(?:update|delete)(?:BranchProtectionRule|RepositoryRuleset)\b/.test(field)) return ["host-protection"];
  if (/\b(?:archiveRepository|transfer\w*)\b/.test(field)) return ["repo-change"];
  return /\bdelete(?:Ref|Deployment|Discussion|Issue|Label|Package\w*|Release)\b/.test(field) ? ["api-delete"] : [];
}

/** What takes an app, its data or a part of it away, on whichever platform. */
const deletions = `
  apps:destroy|pg:reset|addons:destroy|pipelines:destroy|pg:backups:delete|redis:reset|spaces:destroy|destroy
    : !app-delete({path})
  firestore:delete|firestore:databases:delete|database:remove|hosting:disable|projects:delete|apps:delete
    : !app-delete({path})
  sites:delete|site:delete|hosting:sites:delete or apps|app destroy|delete : !app-delete({path})
  volumes|volume|postgres|machine|machines|mysql destroy|delete : !app-delete({path})
  d1 delete or r2 bucket delete or kv namespace delete or projects|project delete|rm|remove : !app-delete({path})
  database|db|branch|databases|tenant|service|environment delete|destroy : !app-delete({path})
  remove|rm --yes|force|hard : !app-delete
  api delete*|purge*|DELETE* : !api-delete-whole({name}-api-delete)
  remove|rm|delete|rollback|scale : !app-remove({path})
  * delete|destroy|rm|remove|unset|del|purge : !app-remove({path})
  * * delete|destroy|rm|remove|del|purge : !app-remove({path})
  config:unset|env:unset|env:remove|ext:uninstall|*:delete|*:destroy : !app-remove({path})`.trimStart();

export const platforms = tools(
  "platforms",
  `
tool gh glab tea
# -c, -d, -i, -m, -p, -r, -s, --comment and --commit are flags of some sub-commands and take a word in others:
# not listed, both are tried.
  options R|repo= h|hostname= X|method= f|raw-field= F|field= H|header= input= q|jq= t|template|title= b|body=
    body-file= env-file= n|notes= notes-file= l|label= a|assignee= B|base= head= L|limit= json= w|web tag=
    target= e|env= o|org|owner= u|user= ref= branch= name= clone=? D|dir= O|output= pattern= P= visibility= admin
    show-token include paginate slurp cache= preview= y|yes confirm add-label= remove-label= add-assignee=
    remove-assignee= add-reviewer= author= search= job= log log-failed exit-status interval= watch fill fill-first
    fill-verbose draft squash merge rebase auto delete-branch match-head-commit= cleanup-tag latest=? prerelease
    generate-notes discussion-category= verify-tag notes-start-tag= skip-existing clobber public private internal
    source= remote= push add-readme gitignore= license= homepage= topic= approve request-changes comments nameonly
    patch failed reason= key= type= archived fork source-branch= target-branch= per-page= page= group=
    mr-title= k= git-protocol= scopes= with-token secure-storage insecure-storage order= sort= size= codespace=
    machine= idle-timeout= all required workflow= event= created= attempt= debug state= description= message=
    milestone= reviewer= project=
  repo|project delete|rm : !repo-delete
  repo|project archive|rename|transfer : !repo-change({path})
  repo edit --visibility=public : !repo-publish
  repo edit --visibility : !repo-visibility
  release|issue|gist|secret|variable|ssh-key|gpg-key|ruleset|codespace|project delete|rm|remove|revoke|delete-asset :
    !host-delete({path}), network
  project item-delete|field-delete : !host-delete({path}), network
  environment|deploy-key|runner|mr|snippet|token delete|rm|remove|revoke : !host-delete({path}), network
  repo deploy-key delete : !host-delete({path}), network
  repo deploy-key add or ssh-key|gpg-key|deploy-key add : !host-protection, upload
  run|cache|label|workflow|pipeline|job|schedule|ci|alias|milestone|incident delete|rm|remove|disable|cancel :
    !host-remove({path}), network
  extension|extensions|ext remove : !host-remove({path}), network
  pr|mr merge --admin : !merge-admin, upload
  auth token or auth status --show-token : !service-token(gh-auth-token)
  auth login|refresh|setup-git|logout : write ~/.config/gh/hosts.yml own-store
  extension|extensions|ext install|upgrade|exec : !extension-install({path})
  api : do api
  gist create|edit : read rest, upload
  release create|upload : read 2+, read --notes-file, upload
  pr|issue|mr create|comment|edit|review|merge|close|reopen|ready|note|update|lock|unlock|pin|unpin|transfer|develop :
    read --body-file, upload
  repo create --public --push|source : !repo-publish, upload
  repo create|fork|sync|edit|deploy-key|set-default|unarchive : upload
  secret|variable set : read --raw-field|env-file, upload
  workflow|run run|rerun|enable or label|milestone create|edit|clone or ci|pipeline run|retry|trigger : upload
  repo clone : network, do clone
  run|release download : network, write --dir|output else . all
  browse|config|alias|completion|status|attestation|extension|extensions|ext|copilot : quiet
  pr|issue|mr|repo|run|release|gist|secret|variable|workflow|cache|label|project|org|search|auth|ruleset : network
  codespace|ssh-key : network
  gpg-key|ci|pipeline|job|schedule|milestone|incident|snippet|user|token|runner|deploy-key|environment|stack : network
  check-update : network
  cluster|changelog|iteration|duo|securefile|opentofu|login|logout|issues|pulls|releases|repos|branches : network
  actions|times : network
  organizations|notifications|labels|milestones|comment|open|clone|whoami|agent-task|preview|accessibility : network
  otherwise unknown, network
tool hub
  help first
  delete : !repo-delete
  pull-request|release|gist|fork|create|issue|sync : upload
  pr|browse|compare|ci-status|api|alias : network
  otherwise do git

tool heroku dokku
  options a|app= r|remote=? c|command= confirm= t|tail= s|size|space= e|env= n|num= p|path|pipeline= region= f|force y
    json j shell source= dyno= type= as= wait-interval= no-wait no-tty exit-code x v|verbose d m|message= stack= team=
    plan= name= buildpack= addons= prefix= file=
  reaches network
  postgres:destroy|mysql:destroy|mariadb:destroy|mongo:destroy|redis:destroy : !app-delete({path})
  ${deletions}
  ps:scale ~*=0 : !app-remove({path})
  releases:rollback|maintenance:on|access:remove|keys:clear|keys:remove|certs:remove|domains:remove :
    !app-remove({path})
  pg:psql|psql : do sqlOption, do sqlInput
  run|ssh|ps:exec|console|run:detached : do runThere
  config|config:get|pg:credentials|pg:credentials:url|auth:token : !app-settings({path})
  login|logout|whoami|status|logs|releases|apps|ps|addons|pg|redis|domains|certs|drains|features|git|keys|labs : quiet
  local|maintenance : quiet
  members|notifications|orgs|pipelines|plugins|regions|restart|stack|teams|update|webhooks|access : quiet
  authorizations|create : quiet
  clients|sessions|spaces|buildpacks|ci|container|autocomplete|commands|auth|open|join|leave|rename|info|list : quiet
  reviewapps : quiet
  *:list|*:info|*:get|*:show|*:logs|*:log|*:status|*:wait|*:ps|*:open|*:report|*:exists|*:url|*:whoami|*:login : quiet
  ps:*|config:set|config:edit|apps:*|addons:*|buildpacks:*|pg:*|git:*|local:*|container:*|domains:*|certs:* : quiet
  drains:* : quiet
  features:*|labs:*|access:*|keys:*|members:*|teams:*|webhooks:*|reviewapps:*|ci:*|telemetry:*|redis:*|kafka:* : quiet
  plugins:* : quiet
  maintenance:off|pipelines:*|spaces:*|releases:*|builder:*|checks:*|proxy:*|ports:*|network:*|storage:* : quiet
  letsencrypt:* : quiet
  otherwise unknown
tool fly flyctl
  options C|command= a|app= c|config= o|org= t|access-token= e|env= r|region= n|name= select size= u|user= y|yes
    f|force i|image= image-label= dockerfile= ha=? local-only remote-only now no-deploy detach json j debug verbose
    pty A|address= count= vm-size= vm-memory= vm-cpus= machine= volume= host-dedication-id= shared dedicated group=
    process-group= m|metadata= strategy= build-arg= build-secret= wait-timeout= p|port= snapshot-id= initial-size=
    stage skip-health-checks builtinsfile=
  reaches network
  scale show : quiet
  machine|machines|m kill : !app-remove({path})
  m destroy : !app-delete({path})
  ${deletions}
  ssh|console or machine|machines exec|run : do runThere
  auth token or tokens create : !app-settings({path})
  secrets list : !release-values({path})
  deploy|launch : !app-deploy({path}), upload
  status|logs|open|info|list|doctor|docs|version|platform|regions|auth|apps|app|checks|certs|config|dashboard : quiet
  dig|dns-records : quiet
  domains|extensions|ext|history|image|incidents|ips|jobs|machine|machines|m|mcp|monitor|move|mpg|mysql|orgs : quiet
  ping|postgres|pg : quiet
  proxy|redis|releases|resume|secrets|services|settings|sftp|storage|suspend|synthetics|tokens|turboku|volumes : quiet
  volume : quiet
  wireguard|agent|curl|create|restart|consul|litefs-cloud|scp|registry|deploy:*|completion|auth:* : quiet
  otherwise unknown
tool vercel now
  options A|local-config= Q|global-config= S|scope= t|token= T|team= cwd= d|debug y|yes f|force e|env= b|build-env=
    m|meta= prod|production target= prebuilt archive= regions= no-wait skip-domain git-branch= environment= safe hard
    limit= n|name= p|public confirm next= json follow x N|no-color format= status= P|port= l|listen=
  reaches network
  ${deletions}
  env pull : !release-values({path}), write first else ./.env.local
  env ls : !release-values({path})
  deploy : !app-deploy({path}), upload
  build|dev|link|list|ls|inspect|logs|login|logout|whoami|switch|teams|project|projects|env|alias|domains|dns : quiet
  certs|git|init : quiet
  integration|integrations|bandwidth|blob|cache|curl|guidance|httpstat|microfrontends|routes|bisect|promote : quiet
  pull|redeploy|open : quiet
  target|telemetry|upgrade|add|agent|api|webhooks|rolling-release|buy|mcp|edge-config|feature-flags : quiet
  #0 or ./*|. : !app-deploy({name}-deploy), upload
  otherwise unknown
tool netlify
  options d|dir= s|site= site-id= a|auth|account= t|timeout= m|message= p|prod filter= data= context= scope= f|force
    json debug alias= build trigger c|command= functions= F|functionsPort= port= skip-functions-cache o|offline
    l|live=? e= n|name= silent no-build silent-failure http-proxy= http-proxy-certificate-filename= open
  reaches network
  ${deletions}
  deploy : !app-deploy({path}), upload
  build|dev|dev:*|env|env:*|functions|functions:*|init|link|unlink|login|logout|logs|logs:*|open|open:* : quiet
  recipes|recipes:* : quiet
  serve|sites|sites:*|status|status:*|switch|teams:*|watch|api|blobs|blobs:*|clone|completion|db|db:*|addons : quiet
  addons:*|create : quiet
  otherwise unknown
tool wrangler
  options c|config= e|env= n|name= command= file= namespace-id= binding= preview=? persist-to= cwd=
    compatibility-date= project-name= branch= commit-hash= local remote y|yes|skip-confirmation force d|dry-run
    outdir=write:tree minify var= define= alias= route= triggers= assets= keep-vars no-bundle port= ip= tag=
    message= ttl= expiration= path= text b|batch-size= json yaml jurisdiction= location= versions= percentage=
    content-type= pipe
  reaches network
  ${deletions}
  d1 execute --local : quiet
  d1 execute : do sqlOption
  deploy --dry-run : quiet
  deploy|publish or pages deploy|publish : !app-deploy({path}), upload
  dev|tail|types|login|logout|whoami|init|docs|setup|telemetry|check|generate|kv|r2|d1|queues|vectorize : quiet
  hyperdrive|secret : quiet
  secrets-store|pages|versions|deployments|dispatch-namespace|cert|mtls-certificate|pipelines|pubsub|triggers : quiet
  workflows|ai : quiet
  containers|build|complete|cloudchamber|vpc|email : quiet
  otherwise unknown
tool railway render
  options e|environment= s|service= p|project= d|detach y|yes json c|ci n|num= o|output= w|workspace= k|kv set=
    confirm resources= tail filter= deployment build volume= verbose
  reaches network
  ${deletions}
  down : !app-delete({path})
  variables : !app-settings({path})
  up|deploys|deploy : !app-deploy({path}), upload
  run|ssh : do runThere
  status|logs|link|unlink|list|login|logout|whoami|open|init|add|connect|docs|domain|environment|env|redeploy : quiet
  restart|service : quiet
  shell|starship|variable|vars|volume|volumes|functions|scale|dev|upgrade|completion|services|jobs|workspace : quiet
  blueprints|psql : quiet
  otherwise unknown
tool firebase
  options P|project= account= token= only= except= f|force y r|recursive all-collections shallow j|json debug config=
    d|data= non-interactive interactive m|message= inspect-functions=? import=read:tree export-on-exit=?write ui
    p|port= o|host= instance= database= n|lines= site= expires= pretty limit-to-first= order-by= no-localhost
  reaches network
  ${deletions}
  emulators:exec : shell first
  deploy : !app-deploy({path}), upload
  login*|logout|use|init|init:*|serve|open|target|target:*|help|experiments:*|setup:*|list|internaltesting:* : quiet
  emulators:*|functions:*|hosting:*|apps:*|auth:*|firestore:*|database:*|projects:*|ext:*|ext|remoteconfig:* : quiet
  crashlytics:* : quiet
  appdistribution:*|apphosting:*|dataconnect:*|sql:*|studio:*|mcp : quiet
  otherwise unknown
tool supabase neonctl pscale turso convex
  options project-ref= p|password|project= db-url= linked local workdir= schema= o|output|org= debug experimental
    profile= s|scope= include-all include-seed include-roles dry-run yes y force branch= role-name= database-name=
    context-file= api-key= config-dir= type= r|region= host= port= d|data-dir= no-seed env-file=read:use import-map=
    no-verify-jwt x|exclude= prod preview-name= once typecheck= codegen= cluster= replica= web group= from-db=
    from-file=read wait= project-id= org-id= color= no-color service-token= service-token-name= location= team=
    expiration= read-only api-token= api-url= config= format= file=
  reaches network
  ${deletions}
  service-token delete-access : !app-remove({path})
  db reset --linked|db-url : !migration-reset(supabase-db-reset)
  db reset : !migration-undo-all(supabase-db-reset)
  db|database shell : do sqlOperand
  psql : do sqlOption, do sqlInput
  secrets list : !release-values({path})
  auth token or connection-string : !app-settings({path})
  run : do runThere
  deploy : !app-deploy({path}), upload
  db|database|databases|migration|functions|gen|link|unlink|init|login|logout|start|stop|status|projects : quiet
  project|orgs|branches : quiet
  branch|secrets|services|storage|sso|domains|inspect|test|seed|snippets|ssl-enforcement|network-bans : quiet
  network-restrictions : quiet
  vanity-subdomains|encryption|postgres-config|backups|config|bootstrap|completion|me|roles|operations : quiet
  set-context|ip-allow|vpc : quiet
  connect|shell|sql|deploy-request|password|backup|keyspace|service-token|signup|group|plan|quickstart|relax : quiet
  org|auth|region : quiet
  audit-log|data-imports|import|export|dev|data|codegen|env|logs|dashboard|docs|insights|mcp|upgrade|contact : quiet
  update : quiet
  otherwise unknown
tool surge cf caprover coolify appwrite stripe twilio shopify sentry-cli deployctl
  options a|app|appName= o|org= t|token= p|project|path= n|name= space|store= force y|yes api-key= d|domain|data=
    live H|host|header= u|username= c|config= env= json debug log-level= auth-token= url= site= limit= prod only=
    event= events= forward-to= v|verbose theme= password= tarFile= branch= caproverUrl= dist= color= device-name=
  reaches network
  ${deletions}
  ssh|run-task|run : do runThere
  deploy|push|publish or app deploy : !app-deploy({path}), upload
  auth token or env|e : !app-settings({path})
  login|logout|whoami|auth|api|target|apps|app|services|service|routes|domains|buildpacks|orgs|org|spaces : quiet
  space|users|logs : quiet
  events|files|stacks|quotas|marketplace|map-route|create-*|bind-*|set-*|start|restart|restage|stop|tasks : quiet
  plugins|info|version : quiet
  list|ls|teams|serversetup|init|projects|functions|databases|storage|health|locale|listen|trigger|resources : quiet
  samples|feedback : quiet
  fixtures|get|post|products|customers|charges|prices|payment_intents|open|status|config|completion|theme : quiet
  hydrogen|upgrade : quiet
  kit|search|send-event|sourcemaps|repos|issues|organizations|monitors|debug-files|releases|upload-* : quiet
  react-native|update : quiet
  phone-numbers|profiles|serverless|email|debugger|flex|dev|deployments|top|context|server|private-key : quiet
  instances|resource : quiet
  #0 : quiet
  otherwise unknown

tool circleci gitlab-runner travis buildkite-agent buildkite drone jenkins-cli act woodpecker-cli codecov semaphore
tool nx-cloud dagger earthly
  options url= t|token= org-id= name= o= c= host= s= auth= j|job= W|workflows= e|eventpath= secret= env=
    P|platform= repo= f|file= F|flags= branch= sha= pr= l|list n|dryrun all-runners config= registration-token=
    executor= debug no-cache push ci q|quiet v|verbose
  * delete|remove|rm|remove-secret|revoke : !pipeline-remove({path})
  unregister|delete|delete-job|delete-node|delete-view|verify|stop|uninstall : !pipeline-remove({path})
  context store-secret : !pipeline-secret({path})
  @act|earthly|dagger|codecov|nx-cloud|semaphore : quiet
  config|local|orb|namespace|context|setup|diagnostic|open|completion|update|runner|policy|pipeline|project : quiet
  info|follow : quiet
  list|register|run|run-single|start|restart|status|install|exec|artifacts-*|cache-*|health-check|fleeting : quiet
  reset-token : quiet
  init|encrypt|encrypt-file|lint|login|logout|logs|monitor|open|whoami|env|enable|disable|settings|branches : quiet
  history|show : quiet
  annotate|annotation|artifact|bootstrap|meta-data|oidc|step|tool|secret|lock|acknowledgements|env|redactor : quiet
  git-credentials-* : quiet
  build|builds|job|organization|user|users|agent|cli|package|use|api|configure|cron|repo|queue|server|sign : quiet
  template|log|fmt : quiet
  list-*|get-*|console|who-am-i|create-*|update-*|copy-job|enable-*|disable-*|reload-*|safe-restart|set-* : quiet
  deploy|admin|org : quiet
  otherwise unknown
`,
  code,
);

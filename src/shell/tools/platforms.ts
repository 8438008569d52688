// Code hosts, continuous integration and hosting platforms: gh, glab, heroku, fly, vercel and their kin.
// Invariant: looking is network only; what publishes is an upload; what deletes a repository, an app or its data is a hazard.
import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { all, cli, commandLine, type Use } from "./commands.js";
import { sqlHazards } from "./sql.js";
import { isStream } from "./table.js";

type Does = (use: Use, emit: Emit) => void;

const sends =
  (...fileOptions: string[]): Does =>
  ({ call, given }, emit) => {
    for (const file of given.values(...fileOptions)) if (!isStream(file)) emit.read(file, `${call.name} sends it`);
    emit.effect({ kind: "network", program: call.name, upload: true, reason: `${call.name} publishes` });
  };

const sendsFiles =
  (skip: number): Does =>
  ({ call, rest }, emit) => {
    for (const file of rest.slice(skip)) if (!isStream(file)) emit.read(file, `${call.name} sends it`);
    emit.effect({ kind: "network", program: call.name, upload: true, reason: `${call.name} publishes files` });
  };

const looks: Does = ({ call }, emit) =>
  emit.effect({ kind: "network", program: call.name, reason: `${call.name} reads from its service` });

/** gh api, glab api: the method decides; fields make it a POST. */
const api: Does = ({ call, given, rest }, emit) => {
  const fields = given.values("field", "raw-field", "input");
  const method = (given.value("method")?.value ?? (fields.length ? "POST" : "GET")).toUpperCase();
  for (const file of given.values("input")) if (!isStream(file)) emit.read(file, `${call.name} api sends it`);
  for (const field of given.values("field")) {
    const path = /^[^=]*=@(.+)$/.exec(field.value ?? "")?.[1];
    if (path && path !== "-") emit.read({ source: path, value: path, prefix: path }, `${call.name} api sends it`);
  }
  emit.effect({
    kind: "network",
    program: call.name,
    host: rest[0]?.value,
    reason: `${call.name} api ${method}`,
    ...(method !== "GET" && { upload: true }),
  });
  if (method !== "DELETE") return;
  const whole = /^\/?(repos|projects|orgs|groups)\/[^/]+(\/[^/]+)?\/?$/.test(rest[0]?.value ?? "");
  emit.hazard(
    { class: "infrastructure", level: whole ? 3 : 2, id: `${call.name}-api-delete` },
    `${call.name} api DELETE`,
  );
};

const gh = cli({
  names: "gh glab tea bb-cli",
  takes:
    "R|repo= h|hostname= X|method= f|raw-field= F|field= H|header= input= q|jq= t|template|title= b|body= body-file= env-file= notes= notes-file= m|message|milestone= l|label= a|assignee= B|base= head= L|limit= json= s|state= w|web d|description= c|comment= tag= target= r|reviewer= p|project= e|env= o|org= u|user= ref= branch= name= clone= D|dir= O|output= pattern= P= visibility=",
  verbs: [
    { path: "repo|project delete|rm", hazard: "infrastructure:3", id: "repo-delete" },
    { path: "repo|project archive|rename|transfer", hazard: "infrastructure:2" },
    {
      path: "repo edit",
      needs: ["visibility"],
      does: ({ call, given }, emit) =>
        emit.hazard(
          {
            class: "exfiltration",
            level: given.value("visibility")?.value === "public" ? 3 : 2,
            id: "repo-visibility",
          },
          `${call.name} repo edit --visibility`,
        ),
    },
    ...all(
      "infrastructure:2",
      [
        "release|issue|gist|secret|variable|ssh-key|gpg-key|ruleset|codespace|project|environment|deploy-key|runner|mr|snippet|token delete|rm|remove|revoke|delete-asset",
        "repo deploy-key delete",
        "release delete-asset",
        "codespace delete",
      ],
      { does: looks },
    ),
    ...all(
      "infrastructure:1",
      [
        "run|cache|label|workflow|pipeline|job|schedule|ci|alias|extension|milestone|incident delete|rm|remove|disable|cancel",
      ],
      { does: looks },
    ),
    { path: "pr|mr merge", needs: ["admin"], hazard: "verification-skip:2", id: "merge-admin", does: sends() },
    { path: "auth token", hazard: "credential-read:2", id: "gh-auth-token" },
    { path: "auth status", needs: ["show-token"], hazard: "credential-read:2", id: "gh-auth-token" },
    {
      path: "auth login|refresh|setup-git|logout",
      does: ({ call }, emit) =>
        emit.write(
          { source: "~/.config/gh/hosts.yml", value: "~/.config/gh/hosts.yml", prefix: "~" },
          `${call.name} auth keeps the credential`,
        ),
    },
    { path: "extension install|upgrade|exec", hazard: "remote-code:2" },
    { path: "api", does: api },
    { path: "gist create|edit", does: sendsFiles(0) },
    {
      path: "release create|upload",
      does: (use, emit) => {
        sendsFiles(1)(use, emit);
        for (const file of use.given.values("notes-file")) emit.read(file, "gh release notes");
      },
    },
    { path: "pr|issue|mr create|comment|edit|review|merge|close|reopen|ready|note|update", does: sends("body-file") },
    { path: "repo create|fork|sync|edit|deploy-key", does: sends() },
    { path: "secret|variable set", does: sends("raw-field", "env-file") },
    { path: "workflow|run run|rerun|enable", does: sends() },
    { path: "label|milestone create|edit", does: sends() },
    {
      path: "repo clone",
      does: (use, emit) => {
        looks(use, emit);
        const target = use.rest[1] ?? nameOf(use.rest[0]);
        if (target) emit.write(target, `${use.call.name} clones into it`, { recursive: true });
      },
    },
    {
      path: "run|release download",
      does: (use, emit) => {
        looks(use, emit);
        emit.write(
          use.given.value("dir", "output") ?? { source: ".", value: ".", prefix: "." },
          `${use.call.name} downloads into it`,
          { recursive: true, glob: true },
        );
      },
    },
    { path: "browse|config|alias|completion|status|help" },
  ],
  otherwise: looks,
});

/** hub is git with more sub-commands. */
const hub: ToolFamily = {
  names: ["hub"],
  lower(call, emit) {
    const own = /^(pull-request|pr|issue|release|gist|fork|create|delete|browse|compare|ci-status|api|sync|alias)$/;
    const verb = call.args.find((arg) => !arg.value?.startsWith("-"))?.value;
    if (!own.test(verb ?? ""))
      return emit.run([{ source: "git", value: "git", prefix: "git" }, ...call.args], "hub hands it to git");
    if (verb === "delete") return emit.hazard({ class: "infrastructure", level: 3, id: "repo-delete" }, "hub delete");
    emit.effect({
      kind: "network",
      program: "hub",
      reason: `hub ${verb}`,
      upload: /^(pull-request|release|gist|fork|create|issue)$/.test(verb ?? "") || undefined,
    });
  },
};

function runsSql(text: Arg, call: Invocation, emit: Emit): void {
  if (text.value === undefined) return emit.unknown(`the statement for ${call.name} is not static`);
  for (const hazard of sqlHazards(text.value)) emit.hazard(hazard, `${call.name}: ${hazard.id.replaceAll("-", " ")}`);
}

function sqlFile(file: Arg, call: Invocation, emit: Emit): void {
  emit.read(file, `${call.name} takes statements from it`);
  const text = emit.projectFile(file);
  if (text !== undefined) runsSql({ ...file, value: text }, call, emit);
}

function nameOf(repo: Arg | undefined): Arg | undefined {
  const name = repo?.value
    ?.replace(/\.git$/, "")
    .split("/")
    .at(-1);
  return name ? { source: name, value: name, prefix: name } : undefined;
}

const hosting = cli({
  names:
    "heroku fly flyctl vercel netlify wrangler railway firebase supabase render surge now neonctl pscale turso convex cf ibm dokku caprover coolify appwrite stripe twilio shopify sentry-cli launchdarkly prisma-cloud deployctl",
  reaches: "network",
  takes:
    "C|command= file= a|app= r= remote=? c|config= o|org= t|token= e|env= p|project= project-ref= n|name= site= s|scope= confirm= region= P=",
  verbs: [
    ...all("infrastructure:3", [
      "apps:destroy|pg:reset|addons:destroy|pipelines:destroy|pg:backups:delete|redis:reset|spaces:destroy",
      "apps|app destroy|delete",
      "volumes|volume|postgres|machine|machines|mysql destroy|delete",
      "destroy",
      "d1 delete",
      "r2 bucket delete",
      "kv namespace delete",
      "projects|project delete|rm|remove",
      "database|db|branch|databases delete|destroy",
      "firestore:delete|firestore:databases:delete|database:remove|hosting:disable|projects:delete|apps:delete",
      "sites:delete|site:delete",
      "down",
      "tenant|service|environment delete|destroy",
    ]),
    { path: "remove|rm", needs: ["yes", "y", "force", "f", "hard"], hazard: "infrastructure:3", id: "app-delete" },
    {
      path: "d1 execute",
      unless: ["local"],
      does: ({ call, given }, emit) => {
        for (const text of given.values("command")) runsSql(text, call, emit);
        for (const file of given.values("file")) sqlFile(file, call, emit);
      },
    },
    { path: "d1 execute" },
    {
      path: "db|database shell",
      does: ({ call, rest }, emit) => {
        for (const text of rest.slice(1)) runsSql(text, call, emit);
      },
    },
    {
      path: "pg:psql|db:psql|psql",
      does: ({ call, given }, emit) => {
        for (const text of given.values("config", "command")) runsSql(text, call, emit);
        if (call.stdin.kind === "text") runsSql({ source: "-", value: call.stdin.text, prefix: "" }, call, emit);
      },
    },
    { path: "db reset", needs: ["linked", "db-url"], hazard: "database:3", id: "supabase-db-reset" },
    { path: "db reset", hazard: "database:2", id: "supabase-db-reset" },
    {
      path: "api *",
      does: ({ call, given }, emit) => {
        if (/^(delete|purge)/i.test(given.operands[1]?.value ?? ""))
          emit.hazard({ class: "infrastructure", level: 3, id: `${call.name}-api-delete` }, `${call.name} api`);
      },
    },
    ...all("infrastructure:2", [
      "remove|rm|delete",
      "* delete|destroy|rm|remove|unset|del|purge",
      "* * delete|destroy|rm|remove|del|purge",
      "secrets unset|delete",
      "config:unset|env:unset|access:remove|keys:clear|certs:remove|domains:remove|releases:rollback|maintenance:on",
      "rollback",
      "scale",
      "domains|dns|alias|certs|env rm|remove",
      "functions:delete|auth:delete",
    ]),
    ...all("credential-read:2", [
      "config|config:get|pg:credentials|pg:credentials:url|auth:token",
      "env pull|ls",
      "secrets list",
      "auth token",
      "variables",
    ]),
    ...all("infrastructure:1", ["deploy|deploys|publish|up", "pages deploy", "launch", "releases"], { does: sends() }),
    {
      path: "run|ssh|ps:exec|console",
      does: ({ call, raw, given }, emit) => {
        const told = call.name.startsWith("fly") ? given.value("command") : undefined;
        // `heroku run 'rails c' -a app`: the platform's own options may stand behind the command.
        const own = /^(-a|--app|-r|--remote|-s|--size|-e|--env)$/;
        const words = raw.filter(
          (word, at) =>
            !own.test(word.value ?? "") && !own.test(raw[at - 1]?.value ?? "") && !/^--app=/.test(word.value ?? ""),
        );
        const at = words.findIndex((word) => !word.value?.startsWith("-"));
        const command = told ?? commandLine(at < 0 ? [] : words.slice(at));
        const input =
          /^(ba|da|z)?sh$/.test(command?.value ?? "") && call.stdin.kind === "text" ? call.stdin.text : undefined;
        emit.remote(
          input === undefined ? command : { source: "standard input", value: input, prefix: "" },
          undefined,
          "runs on the platform",
        );
      },
    },
  ],
});

const pipelines = cli({
  names:
    "circleci gitlab-runner travis buildkite-agent buildkite drone jenkins-cli act woodpecker-cli codecov semaphore nx-cloud dagger earthly concourse-fly",
  takes: "url= token= org-id= name= o= c=",
  verbs: [
    ...all(
      "infrastructure:2",
      [
        "* delete|remove|rm|remove-secret|revoke",
        "unregister",
        "delete|delete-job|delete-node|delete-view",
        "verify",
        "stop|uninstall",
      ],
      {},
    ),
    { path: "context store-secret", hazard: "infrastructure:1" },
    { path: "local execute" },
  ],
});

export const platforms = [gh, hub, hosting, pipelines];

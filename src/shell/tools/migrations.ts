// Migration tools and framework consoles whose sub-commands drop or rebuild a database.
// Invariant: a reset is a hazard of the database class, an ordinary migration or server is `exec`.
import type { Invocation, ToolFamily } from "../analyze/tool.js";
import type { Verb } from "./commands.js";
import { all, cli } from "./commands.js";
import { sqlHazards } from "./sql.js";
import { executes } from "./table.js";

const ran: NonNullable<Parameters<typeof cli>[0]["otherwise"]> = ({ call }, emit) =>
  executes(call, emit, `${call.name} runs the project's code`);

const resets = (paths: string[], level: 2 | 3 = 3): Verb[] => all(`database:${level}`, paths);

/** Where a reset is meant for: the environment a framework is told to use. */
function isForTests(call: Invocation): boolean {
  if (call.name === "prisma") return false;
  const named = ["RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV", "FLASK_ENV", "DJANGO_SETTINGS_MODULE"];
  if (named.some((name) => forTests.test(call.env[name]?.value ?? ""))) return true;
  return call.args.some((arg, at) => {
    const given = /^--(?:env|environment|settings)=(.*)$/.exec(arg.value ?? "")?.[1];
    const before = /^(-e|--env|--environment|--settings)$/.test(call.args[at - 1]?.value ?? "");
    return forTests.test(given ?? (before ? (arg.value ?? "") : ""));
  });
}

const forTests = /(^|[._-])(tests?|testing|ci|e2e)$/i;

/** The tests' own database is made to be thrown away. */
const withEnvironment = (family: ToolFamily): ToolFamily => ({
  names: family.names,
  lower(call, emit) {
    if (!isForTests(call)) return family.lower(call, emit);
    family.lower(call, {
      ...emit,
      hazard: (hazard, reason, extra) =>
        emit.hazard(hazard.class === "database" ? { ...hazard, level: 1 } : hazard, reason, extra),
    });
  },
});

const tools = [
  cli({
    names: "prisma",
    takes: "schema= name= url= from= to= script= file=",
    verbs: [
      ...resets(["migrate reset"]),
      { path: "db push", needs: ["force-reset"], hazard: "database:3" },
      { path: "db push", needs: ["accept-data-loss"], hazard: "database:2" },
      {
        path: "format",
        does: (_use, emit) =>
          emit.write({ source: "prisma/schema.prisma", value: "prisma/schema.prisma", prefix: "" }, "prisma format"),
      },
      { path: "generate|validate|studio|version" },
      { path: "migrate status|diff" },
      {
        path: "db execute",
        does: ({ call, given }, emit) => {
          for (const file of given.values("file")) emit.read(file, "prisma db execute");
          const texts = given.values("file").map((file) => emit.projectFile(file));
          if (given.has("stdin") && call.stdin.kind === "text") texts.push(call.stdin.text);
          for (const text of texts)
            for (const hazard of sqlHazards(text ?? "")) emit.hazard(hazard, `prisma: ${hazard.id}`);
          emit.hazard({ class: "database", level: 1, id: "prisma-db-execute" }, "prisma db execute");
        },
      },
    ],
    otherwise: ran,
  }),
  cli({
    names: "rails rake bin/rails",
    takes: "e|environment= p|port= b= f|rakefile=",
    verbs: [
      ...resets([
        "db:drop|db:drop:all|db:reset|db:schema:load|db:structure:load|db:purge|db:purge:all|db:migrate:reset|db:setup|db:drop:_unsafe|db:truncate_all|db:seed:replant|db:mongoid:drop|db:mongoid:purge|db:test:purge",
      ]),
      { path: "db:rollback|db:migrate:down|db:migrate:redo", hazard: "database:1" },
      {
        path: "destroy|d",
        hazard: "worktree-loss:1",
        does: (_use, emit) => emit.unknown("rails destroy removes generated files"),
      },
      {
        path: "runner|r|console|c|dbconsole|db",
        does: ({ call, rest }, emit) =>
          rest[0] && /^(runner|r)$/.test(call.args[0]?.value ?? "")
            ? emit.program(rest[0], "rails runner", "ruby")
            : executes(call, emit, "rails console"),
      },
      { path: "routes|stats|notes|about|-T|-v|db:version|db:migrate:status|middleware|time:zones" },
    ],
    otherwise: ran,
  }),
  cli({
    names: "manage.py django-admin django",
    takes: "settings= database= v|verbosity= pythonpath= c=",
    verbs: [
      ...resets(["flush", "reset_db", "dropdb"]),
      { path: "migrate", needs: ["run-syncdb"], hazard: "database:1" },
      { path: "migrate * zero", hazard: "database:3", id: "django-migrate-zero" },
      {
        path: "shell",
        needs: ["c"],
        does: ({ given }, emit) => {
          for (const text of given.values("c")) emit.program(text, "manage.py shell -c", "python");
        },
      },
      { path: "check|showmigrations|sqlmigrate|diffsettings|inspectdb|sqlflush|dbshell" },
      {
        path: "dumpdata",
        does: ({ given }, emit) => {
          for (const file of given.values("o", "output")) emit.write(file, "dumpdata");
        },
      },
    ],
    otherwise: ran,
  }),
  cli({
    names: "artisan console",
    takes: "env= database= path= class= seeder=",
    verbs: [
      ...resets([
        "migrate:fresh|migrate:reset|migrate:refresh|db:wipe|doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load",
      ]),
      { path: "migrate:rollback|doctrine:schema:update", hazard: "database:1" },
      {
        path: "tinker",
        needs: ["execute"],
        does: ({ given }, emit) => {
          for (const text of given.values("execute")) emit.program(text, "tinker", "php");
        },
      },
      { path: "route:list|list|about|env|migrate:status|debug:router|debug:container" },
    ],
    otherwise: ran,
  }),
  cli({
    names:
      "sequelize sequelize-cli typeorm knex drizzle-kit mikro-orm objection node-pg-migrate db-migrate umzug kysely",
    takes: "env= config= d= dataSource= to= name= url= knexfile=",
    verbs: [
      ...resets([
        "db:drop|db:reset|schema:drop|schema:fresh|drop|migrate:reset|migrate:fresh|migration:fresh|reset|schema:sync",
      ]),
      ...all("database:2", ["db:migrate:undo:all|db:seed:undo:all"]),
      { path: "migrate:rollback", needs: ["all"], hazard: "database:2" },
      ...all("database:1", ["migrate:rollback|migration:revert|migrate:down|down|db:migrate:undo|push"]),
    ],
    otherwise: ran,
  }),
  cli({
    names: "migrate",
    takes: "database= path= source= lock-timeout= prefetch=",
    style: { oneDash: true },
    verbs: [...resets(["drop"]), ...all("database:1", ["down|force"]), { path: "version|create" }],
    otherwise: ran,
  }),
  cli({
    names: "symfony",
    verbs: [
      {
        path: "console",
        does: ({ raw }, emit) =>
          emit.run([{ source: "console", value: "console", prefix: "console" }, ...raw], "run by symfony"),
      },
      {
        path: "php",
        does: ({ raw }, emit) => emit.run([{ source: "php", value: "php", prefix: "php" }, ...raw], "run by symfony"),
      },
    ],
    otherwise: ran,
  }),
  cli({
    names: "alembic flask-db yoyo dbmate atlas flyway liquibase sqitch sqlx diesel sea-orm-cli refinery",
    takes: "c= n= url= u= d|dir= database= path= source= database-url= D= configFiles= changelog-file= changeLogFile=",
    verbs: [
      ...resets([
        "clean|drop|drop-all|dropAll|drop-database|reset|purge",
        "database drop|reset",
        "schema clean",
        "migrate fresh|refresh|reset",
      ]),
      { path: "downgrade base", hazard: "database:3" },
      ...all("database:1", [
        "down|downgrade|rollback|revert|redo|down-to|rollback-count",
        "migration revert",
        "migrate down",
      ]),
      { path: "current|history|heads|status|version|info|validate|show|list|diff|log" },
    ],
    otherwise: ran,
  }),
  cli({
    names: "mix",
    takes: "only= repo= r= n= step= to=",
    verbs: [
      ...resets(["ecto.drop|ecto.reset"]),
      { path: "ecto.rollback", hazard: "database:1" },
      {
        path: "format",
        unless: ["check-formatted"],
        does: (_use, emit) =>
          emit.write({ source: ".", value: ".", prefix: "." }, "mix format", { recursive: true, glob: true }),
      },
      { path: "help|deps|phx.routes|hex.info|xref" },
      { path: "hex.publish", hazard: "infrastructure:2", id: "publish" },
    ],
    otherwise: ran,
  }),
];

export const migrations = tools.map(withEnvironment);

// Migration tools and framework consoles whose sub-commands drop or rebuild a database.
// Invariant: a reset is a hazard of the database class, an ordinary migration or server is `exec`.
import { hazard, hazardName } from "../../model/hazards.js";
import type { Invocation } from "../analyze/tool.js";
import { type Code, type SpecFamily, tools } from "../spec/interpret.js";
import { literal } from "../spec/options.js";
import { judgeStatement, runStatementFile, runStatementsOfInput } from "./statements.js";

const forTests = /(^|[._-])(tests?|testing|ci|e2e)$/i;
const environments = [
  ...["RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV", "FLASK_ENV"],
  "DJANGO_SETTINGS_MODULE",
];

/** Where a reset is meant for: the environment a framework is told to use. */
function isForTests(call: Invocation): boolean {
  if (call.name === "prisma") return false;
  if (environments.some((name) => forTests.test(call.env[name]?.value ?? ""))) return true;
  return call.args.some((arg, at) => {
    const given = /^--(?:env|environment|settings)=(.*)$/.exec(arg.value ?? "")?.[1];
    const before = /^(-e|--env|--environment|--settings)$/.test(call.args[at - 1]?.value ?? "");
    return forTests.test(given ?? (before ? (arg.value ?? "") : ""));
  });
}

/** The tests' own database is made to be thrown away. */
const sparingTests = (family: SpecFamily): SpecFamily => ({
  ...family,
  lower(call, emit) {
    if (!isForTests(call)) return family.lower(call, emit);
    family.lower(call, {
      ...emit,
      hazard: (found, reason, extra) =>
        emit.hazard(found.class === "database" ? hazard("migration-test", hazardName(found)) : found, reason, extra),
    });
  },
});

const code: Code = {
  statements({ call, given }, emit) {
    for (const file of given.values("file")) runStatementFile(file, call, emit, judgeStatement);
    if (given.has("stdin")) runStatementsOfInput(call, emit, judgeStatement);
  },
  statementWords({ call, rest }, emit) {
    for (const text of rest) judgeStatement(text, call, emit);
  },
  ruby: ({ rest }, emit) => rest[0] && emit.program(rest[0], "rails runner", "ruby"),
  python: ({ value }, emit) => emit.program(value!, "manage.py shell -c", "python"),
  php: ({ value }, emit) => emit.program(value!, "tinker", "php"),
  /** symfony console x, symfony php x: the program of that name. */
  named: ({ path, raw }, emit) => emit.run([literal(path[0]!), ...raw], "run by symfony"),
};

export const migrations = tools(
  "migrations",
  `
tool prisma
  options schema= config= n|name= url= from= to= script= file= stdin create-only skip-seed skip-generate f|force
    force-reset accept-data-loss preview-feature from-empty to-empty from-schema-datamodel= to-schema-datamodel=
    from-migrations= to-migrations= shadow-database-url= exit-code applied= rolled-back= generator= watch no-engine
    sql data-proxy accelerate p|port= b|browser= datasource-provider= print
  migrate reset or db push --force-reset : !migration-reset({path})
  db push --accept-data-loss : !migration-undo-all({path})
  db execute : do statements, !statement-run(prisma-db-execute)
  format : write ./prisma/schema.prisma
  generate|validate|studio|version|init|debug or migrate status|diff : quiet
  otherwise exec "runs the project's code"
tool rails rake
  options e|environment= p|port= b|binding= f|rakefile=read c|config= T|tasks=? D|describe=? P|prereqs W|where=? A|all
    n|dry-run q|quiet s|silent t|trace=? j|jobs= m|multitask N|nosearch R|rakelibdir= I|libdir= r|require= v|verbose
    sandbox d|daemon u|using= database= force pretend
  runner|r #1+ : do ruby
  destroy|d : !generated-remove({path}), unknown "removes generated files"
  db:drop|db:drop:*|db:reset|db:reset:*|db:schema:load|db:structure:load|db:purge|db:purge:all|db:migrate:reset|db:setup
    : !migration-reset({path})
  db:truncate_all|db:seed:replant|db:mongoid:drop|db:mongoid:purge|db:test:purge : !migration-reset({path})
  * ~db:drop|db:drop:*|db:reset|db:reset:*|db:schema:load|db:structure:load|db:purge|db:migrate:reset|db:truncate_all
    : !migration-reset({name}-db-reset)
  db:rollback|db:migrate:down|db:migrate:redo : !migration-undo({path})
  --tasks|describe|prereqs|where|dry-run : quiet
  routes|stats|notes|about|db:version|db:migrate:status|middleware|time:zones : quiet
  otherwise exec "runs the project's code"
tool manage.py django-admin
  options settings= database= v|verbosity= pythonpath= c|command=python o|output=write traceback no-color force-color
    noinput|no-input a|all n|natural-foreign natural-primary e|exclude= format= indent= plan fake fake-initial
    check run-syncdb noreload nothreading keepdb parallel= tag= name= empty merge
  flush|reset_db|dropdb : !migration-reset({path})
  migrate * zero : !migration-reset(django-migrate-zero)
  migrate --run-syncdb : !migration-undo({path})
  shell --command : quiet
  check|showmigrations|sqlmigrate|diffsettings|inspectdb|sqlflush|dbshell|dumpdata : quiet
  otherwise exec "runs the project's code"
tool artisan console
  options env= e= database= path= class= seeder= execute=php n|no-interaction q|quiet v|verbose force step= pretend
    seed em= connection= dump-sql full-database complete group= purge-with-truncate append
  migrate:fresh|migrate:reset|migrate:refresh|db:wipe|doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load
    : !migration-reset({path})
  migrate:rollback|doctrine:schema:update : !migration-undo({path})
  tinker --execute : quiet
  route:list|list|about|env|migrate:status|debug:router|debug:container : quiet
  otherwise exec "runs the project's code"
tool sequelize sequelize-cli typeorm knex drizzle-kit mikro-orm node-pg-migrate db-migrate umzug kysely
  options env= e= config= c= dataSource= to= name= url= knexfile= cwd= client= connection= migrations-directory=
    specific= step= a|all dir= table= m|migrations-dir= j|migration-file-language= esm x
  db:drop|db:reset|schema:drop|schema:fresh|drop|migrate:reset|migrate:fresh|migration:fresh|reset|schema:sync :
    !migration-reset({path})
  db:migrate:undo:all|db:seed:undo:all or migrate:rollback --all : !migration-undo-all({path})
  push --force : !migration-undo-all({path})
  migrate:rollback|migration:revert|migrate:down|down|db:migrate:undo|push : !migration-undo({path})
  otherwise exec "runs the project's code"
tool migrate
  style one-dash
  options database= path= source= lock-timeout= prefetch= verbose ext= dir= seq digits= format= tz= f all version
  drop : !migration-reset({path})
  down|force : !migration-undo({path})
  --version or version|create : quiet
  otherwise exec "runs the project's code"
tool symfony
  help first
  options dir= project= no-interaction
  console|php : do named
  otherwise exec "runs the project's code"
tool alembic yoyo dbmate atlas flyway liquibase sqitch sqlx diesel sea-orm-cli refinery
  options c|config= n|name= url= u= d|dir|migrations-dir= database= path= source= database-url= D= configFiles=
    changelog-file= changeLogFile= x= m|message= autogenerate rev-id= head= splice branch-label= sql e|env= p= y|yes
    force schema= to= dev-url= baseline= tx-mode= user= password= locations= target= tag= count= wait no-dump-schema
    s= v|verbose target-version= dry-run a|all number= db-url=
  clean|drop|drop-all|dropAll|drop-database|reset|purge : !migration-reset({path})
  database drop|reset or schema clean or migrate fresh|refresh|reset or downgrade base : !migration-reset({path})
  down|downgrade|rollback|revert|redo|down-to|rollback-count : !migration-undo({path})
  migration revert or migrate down : !migration-undo({path})
  current|history|heads|status|version|info|validate|show|list|diff|log : quiet
  otherwise exec "runs the project's code"
tool wp drush
  options path= url= ssh= http= user= skip-plugins=? skip-themes=? require= context= debug=? quiet y|yes uri= root=
    l= r=
    format= fields= allow-root all-tables exec= tables= v|verbose
  db reset|drop|clean or site empty|delete : !migration-reset({path})
  sql:drop|sql-drop|site:install|site-install|si|entity:delete : !migration-reset({path})
  db query or sql:query|sqlq : do statementWords
  db export : write first
  plugin|theme|user|post delete|uninstall : !migration-undo({path})
  eval|eval-file|shell|php:eval|php:script|ev|scr : unknown "runs code"
  * list|get|status|info|version|is-installed|check|path|search or status|st|cr|cache:rebuild|uli : quiet
  otherwise exec "runs the site's code"
tool mix
  options only= repo= r= n= step= to= o= app= check-formatted dry-run quiet force all a include= exclude= seed= trace
    max-failures= no-deps-check no-compile no-start e|eval= S= sname= revert= organization= yes
  ecto.drop|ecto.reset : !migration-reset({path})
  ecto.rollback : !migration-undo({path})
  format --check-formatted|dry-run : quiet
  format : write . all
  deps|phx.routes|hex.info|hex.search|xref : quiet
  hex.publish : !publish
  otherwise exec "runs the project's code"
`,
  code,
).map(sparingTests);

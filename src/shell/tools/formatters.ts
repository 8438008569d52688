// Formatters and fixing linters: whether a call writes is a matter of one option or sub-command.
// Invariant: a call that rewrites files writes the paths it names (the directory when it names none); a checking call
// does not.
import { tools } from "../spec/interpret.js";

export const formatters = tools(
  "formatters",
  `
# These load the project's configuration as code.
tool prettier prettierd
  options w|write c|check l|list-different config= parser= ignore-path= plugin= stdin-filepath= log-level=
    cache-location= tab-width= print-width= end-of-line= trailing-comma= arrow-parens= prose-wrap= cache cache-strategy=
    cache-file= u|ignore-unknown single-quote no-semi use-tabs no-config no-editorconfig no-error-on-unmatched-pattern
    find-config-path= file-info=
  always exec "loads the project's configuration"
  --check|list-different : quiet
  --write : write rest tree?
  otherwise quiet
tool eslint eslint_d xo standard ts-standard oxlint
  options c|config= ext= f|format= o|output-file=write rule= parser= plugin= ignore-path= ignore-pattern= max-warnings=
    cache-location= cache-file= cache-strategy= rulesdir= env= parser-options= global= stdin-filename= fix-type=
    A|allow= D|deny= W|warn= tsconfig= fix fix-dry-run quiet cache stdin no-eslintrc debug color no-color no-ignore
    resolve-plugins-relative-to= report-unused-disable-directives no-error-on-unmatched-pattern fix-suggestions
    no-inline-config print-config= env-info init no-config-lookup flag= stats suppress-all suppress-rule=
  always exec "loads the project's configuration"
  --fix-dry-run : quiet
  --fix|fix-suggestions : write rest else . tree?
  otherwise quiet
tool stylelint markdownlint markdownlint-cli2 textlint remark htmlhint tslint coffeelint
  options config= c= r|rules|rulesdir= formatter= i|ignore= p|project= s= t|format= fix f o|output=write u|use= q|quiet
    cache cache-location= stdin-filename= custom-syntax= max-warnings= ignore-pattern= ignore-path= e|exclude=
  always exec "loads the project's configuration"
  --fix or @remark --output : write rest else . tree?
  otherwise quiet
tool golangci-lint
  options c|config= E|enable= D|disable= timeout= out-format= j|concurrency= new-from-rev= build-tags= go= path-prefix=
    fix v|verbose fast tests=? issues-exit-code= max-issues-per-linter= max-same-issues= new diff d|diff-colored
    enable-only=
  always exec "loads the project's configuration"
  fmt --diff|diff-colored : quiet
  run --fix or fmt : write rest else . tree?
  run|linters|cache|config|completion|formatters|migrate|custom : quiet
  otherwise unknown
tool staticcheck revive
  options f= checks= go= tags= formatter= config= exclude= fail= set_exit_status explain= tests=? debug.version
  always exec "loads the project's configuration"
  otherwise quiet
tool rubocop standardrb erblint rufo reek
  options c|config= only= except= f|format= o|out=write r|require= P|parallel a|autocorrect A|autocorrect-all
    auto-correct fix x|fix-layout D|display-cop-names E L|list-target-files l|lint fail-level= force-exclusion C|cache=
    s|stdin= auto-gen-config regenerate-todo exclude-limit= enable-linters= lint-all auto-correct-all check simple
  always exec "loads the project's configuration"
  --autocorrect|autocorrect-all|auto-correct|auto-correct-all|fix|fix-layout : write rest else . tree?
  @rufo !--check #1+ : write rest tree?
  otherwise quiet
tool php-cs-fixer rector
  options config= rules= path-mode= c= cache-file= format= n|no-interaction v|verbose diff using-cache= allow-risky=
    debug show-progress= clear-cache xdebug d|autoload-file= memory-limit= no-progress-bar no-diffs output-format= only=
    stop-on-violation sequential intersection
  dry dry-run
  always exec "loads the project's configuration"
  fix|process : write rest else . tree?
  check|list|describe|list-files|list-sets|list-rules|self-update|init|setup-ci|worker|custom-rule : quiet
  otherwise write rest else . tree?
tool phpcbf pint
  options standard= extensions= ignore= config= preset= sniffs= exclude= n v|verbose p s q dirty parallel=? d= repair
    suffix= basepath= encoding= cache=? no-cache tab-width= runtime-set= diff= output-format= bail
  always exec "loads the project's configuration"
  --test : quiet
  otherwise write rest else . tree?

tool biome rome
  options config-path= max-diagnostics= reporter= diagnostic-level= stdin-file-path= only= skip= log-level= log-kind=
    colors= indent-style= indent-width= line-width= since= changed staged no-errors-on-unmatched verbose
    files-ignore-unknown=? write apply apply-unsafe fix unsafe vcs-enabled=? linter-enabled=? formatter-enabled=?
    use-server error-on-warnings
  format|check|lint|migrate --write|apply|apply-unsafe|fix|unsafe : write rest else . tree?
  format|check|lint|ci|migrate|start|stop|explain|search|rage|lsp-proxy|clean : quiet
  init : write ./biome.json
  otherwise unknown
tool black blue
  options l|line-length= t|target-version= config= include= exclude= c|code= W|workers= extend-exclude= force-exclude=
    stdin-filename= required-version= check diff color q|quiet v|verbose S|skip-string-normalization fast safe preview
    unstable C|skip-magic-trailing-comma pyi ipynb line-ranges= enable-unstable-feature= no-cache
  --check|diff|code : quiet
  otherwise write rest tree?
tool isort
  options l|line-length= profile= settings-path= sp= sg= s|skip= p|project= src= d|stdout c|check|check-only df|diff
    show-config show-files m|multi-line= e o= a|add-import= j|jobs= q|quiet gitignore float-to-top skip-glob= sl
    filter-files py= dont-skip= ca cs
  --check-only|diff|show-config|show-files|stdout : quiet
  otherwise write rest tree?
tool ruff
  options config= select= ignore= extend-select= extend-ignore= fixable= unfixable= line-length= output-format=
    target-version= exclude= extend-exclude= per-file-ignores= o|output-file=write cache-dir= stdin-filename= range=
    isolated n|no-cache fix unsafe-fixes fix-only add-noqa diff no-fix check preview q|quiet v|verbose s|silent
    statistics e|exit-zero show-fixes w|watch show-files show-settings force-exclude no-respect-gitignore
    exit-non-zero-on-fix extension= show-source format=
  --diff|no-fix : quiet
  check|lint --fix|unsafe-fixes|fix-only|add-noqa : write rest else . tree?
  format --check : quiet
  format : write rest else . tree?
  check|lint|rule|linter|config|server|lsp|analyze|clean : quiet
  --check : quiet
  --fix|unsafe-fixes|fix-only|add-noqa : write rest else . tree?
  #1 ~*.py or #1 ~. : quiet
  otherwise unknown
tool autopep8 docformatter autoflake yapf unimport
  options i|in-place r|recursive R|remove-all-unused-imports d|diff c|check p|parallel a|aggressive style= config=
    exclude= ignore= select= max-line-length= j|jobs= e= indent-size= imports= l= wrap-summaries= wrap-descriptions=
    v|verbose f|force s q|quiet ignore-init-module-imports expand-star-imports remove-all remove-unused-variables
    remove-duplicate-keys stdin-display-name= remove in-place-only check-diff no-local-style m
  --diff|check|check-diff : quiet
  --in-place or @unimport --remove|r : write rest else . tree?
  otherwise quiet
tool djlint
  options reformat check lint format-css format-js configuration= e|extension= indent= profile= exclude= extend-exclude=
    ignore= max-line-length= quiet warn github-output
  --check : quiet
  --reformat : write rest else . tree?
  otherwise quiet
tool sqlfluff
  options d|dialect= t|templater= r|rules= e|exclude-rules= config= force n p|processes= v|verbose format=
    write-output=write ignore= stdin-filename= nocolor bench logger= encoding= x|fixed-suffix= q|quiet annotation-level=
    disable-progress-bar
  fix|format : write rest else . tree?
  lint|parse|render|rules|dialects : quiet
  otherwise unknown
tool pyupgrade add-trailing-comma reorder-python-imports flynt ssort mdformat
  options ll|line-length= py36-plus py37-plus py38-plus py39-plus py310-plus py311-plus py312-plus
    exit-zero-even-if-changed application-directories= add-import= remove-import= wrap= number end-of-line= exclude=
    tc|transform-concats keep-percent-format keep-runtime-typing a|aggressive tj v|verbose q|quiet f|fail-on-change
  dry d|dry-run diff check s|stdout
  otherwise write rest tree?
tool codespell typos
  options w|write-changes I|ignore-words= L|ignore-words-list= S|skip= D|dictionary= i|interactive= builtin=
    x|exclude-file= H B= A= C= r|regex= ignore-regex= c|config= diff f|check-filenames h|check-hidden format=
    j|threads= force-exclude sort exclude= type= locale= files file-types identifiers words write-config toml=
    d|disable-colors
  --diff : quiet
  --write-changes : write rest else . tree?
  otherwise quiet
tool taplo dprint buf
  options c|config= config-discovery= plugins= excludes= o|output=write check diff d|fix w|write path= against=
    incremental=? stdin= log-level= error-format= template= exit-code exclude-path= disable-symlinks list-different
    allow-no-files option=
  @buf format --write : write rest else . tree?
  @buf format|lint|breaking|build|ls-files|dep|config|curl|convert|beta|mod|registry|push|stats|plugin|completion :
    quiet
  @buf generate : write --output else . all
  fmt|format --check|diff : quiet
  @taplo|dprint fmt|format : write rest else . tree?
  lint|check|get|lsp|completions|output-file-paths|output-resolved-config|output-format-times|license|config : quiet
  @dprint init|add : write ./dprint.json
  otherwise unknown
tool rustfmt
  options edition= config= config-path= emit= color= print-config= check files-with-diff|l v|verbose q|quiet backup
    style-edition= unstable-features skip-children
  --check|print-config or --emit=stdout|json|checkstyle : quiet
  otherwise write rest tree?
tool gofmt goimports gofumpt golines gci
  options r= local= m= t= w|write s e l d cpuprofile= srcdir= format-only extra lang= modpath= shorten-comments
    base-formatter= custom-order skip-generated section= S|skip-vendor max-len= tab-len= dry-run diff print list
  @gci write : write rest else . tree?
  @gci print|diff|list : quiet
  --write : write rest tree?
  otherwise quiet
tool clang-format clang-tidy astyle uncrustify indent
  style one-dash
  options i style= assume-filename= lines= offset= length= checks= p= c= f= o=write fallback-style= sort-includes=?
    verbose Werror files= cursor= header-filter= config= config-file= warnings-as-errors= extra-arg= export-fixes=write
    fix fix-errors fix-notes format-style= quiet replace no-backup l= q dump-config list-checks use-color=? suffix=
    options=
  dry n dry-run
  --i|fix|fix-errors|fix-notes|replace|no-backup : write rest tree?
  @astyle #1+ : write rest tree?
  otherwise quiet
tool shfmt beautysh
  options w|write d|diff l|list i|indent|indent-size= ln|language-dialect= p|posix s|simplify ci|case-indent sr kp fn mn
    bn f|find filename= c|check t|tab exp.recover force-function-style= tojson fromjson apply-ignore
  --diff|list !--write : quiet
  --write : write rest else . tree?
  @beautysh !--check #1+ : write rest tree?
  otherwise quiet
tool ktlint ktfmt swiftlint google-java-format ormolu fourmolu dfmt purs-tidy zprint cljfmt erlfmt gersemi cmake-format
  options config|config-path|config-file= rules= m|mode= o=write F|format i|in-place|inplace replace r w|write fix
    autocorrect check dryrun n|set-exit-if-changed lint test dry-run reporter= R|ruleset= editorconfig= log-level=
    strict quiet c l|lines= offset= length= a|aosp ghc-opt= g= meta-style kotlinlang-style google-style relative
    only-rule= baseline=
  --check|dryrun|lint|test|dry-run|set-exit-if-changed or --mode=check : quiet
  @swiftlint rules|version|docs|generate-docs|reporters|baseline|analyze : quiet
  @swiftlint --fix|autocorrect|format or @swiftlint autocorrect : write rest else . tree?
  @cljfmt fix or @purs-tidy format-in-place : write rest else . tree?
  @cljfmt|purs-tidy|swiftlint check|lint : quiet
  --format|in-place|replace|write or --mode=inplace : write rest else . tree?
  @ktfmt #1+ : write rest tree?
  otherwise quiet
tool csharpier
  options config-path= check write-stdout skip-write log-level= log-format= include-generated no-cache skip-validation
    loglevel= pipe-files ignore-path= no-msbuild-check
  --check|skip-write|write-stdout : quiet
  check|server|pipe-files : quiet
  format : write rest tree?
  otherwise write rest tree?
tool swiftformat scalafmt dotnet-format fantomas elm-format stylua nixfmt alejandra nixpkgs-fmt
tool jscodeshift codemod
  options c|config= config-path|f= rules= swiftversion= exclude= t|transform=read:use parser= extensions=
    s|search-parent-directories g|glob= output= stdin-filepath= ignore-pattern= run-in-band cpus= verbose= v lint check
    dryrun dry-run test validate verify d|dry p|print yes stdout quiet diagnostics list mode= indent= e r|recurse format
    no-restore
  --lint|check|dryrun|dry-run|test|validate|verify|dry|print|stdout : quiet
  @alejandra #0 or @scalafmt #0 : write . all
  otherwise write rest tree?
tool npm-check-updates ncu
  options u|upgrade t|target= f|filter= x|reject= packageFile= p|packageManager= dep= i|interactive g|global
    e|errorLevel= filterVersion= rejectVersion= m|minimal s|silent a d|doctor deep ws|workspaces w|workspace= root
    format= jsonUpgraded l|loglevel= cwd= peer pre= registry= concurrency= cache
  reaches network
  --upgrade : write ./package.json
  otherwise quiet
tool eclint
  options n|end_of_line= s= i|indent_style= r|reporter= d|dest=
  fix : write rest else . tree?
  check|infer : quiet
  otherwise unknown
tool sort-package-json lebab import-sort editorconfig-checker
  options c|check q|quiet w|write i|in-place fix t|transform= o|out-file=write replace= l|list-different config=
    exclude= dry-run parser= style= ignore-defaults verbose
  --check|list-different|dry-run : quiet
  @sort-package-json : write rest else ./package.json
  @lebab --replace : write --replace tree?
  --write|fix|in-place : write rest else . tree?
  otherwise quiet
`,
);

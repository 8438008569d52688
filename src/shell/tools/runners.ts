// Package runners: npx, bunx, poetry run, nix run and their kin.
// Invariant: the command after the runner is followed as if it stood alone; what works on the runner's own environment
// is named as exec.
import { hazard } from "../../model/hazards.js";
import type { Arg } from "../analyze/tool.js";
import { tools } from "../spec/interpret.js";
import { literal } from "../spec/options.js";

/** The program of a package: "@scope/name@1.2" is run as "name". */
/** Packages whose program has another name. */
const programNames: Record<string, string> = {
  "firebase-tools": "firebase",
  "netlify-cli": "netlify",
  "aws-cdk": "cdk",
  "@railway/cli": "railway",
  "@angular/cli": "ng",
  "@nestjs/cli": "nest",
  typescript: "tsc",
};

const programOf = (word: Arg): Arg => {
  const bare = word.value?.replace(/(?<=.)@[^/]*$/, "");
  const name = (bare && programNames[bare]) ?? bare?.replace(/^.*\//, "");
  return name === undefined ? word : { ...literal(name), source: word.source };
};

export const runners = tools(
  "runners",
  `
tool npx bunx pnpx
  style posix
  options p|package= c|call=shell w|workspace= y|yes no no-install q|quiet ignore-existing cache= userconfig= shell=
    node-options= prefix= registry= verbose silent workspaces include-workspace-root offline prefer-offline
    loglevel= bun n|node-arg= always-spawn
  otherwise do package
tool poetry pipenv pdm rye hatch pixi
  style command
  options C|directory= P|project|p= e|env= python= manifest-path= environment= bare deps pypi no-cache n|no-interaction
    q|quiet v|verbose ansi no-ansi no-plugins pyproject= locked frozen feature= g|global where s|site-packages
    package= plugin= data-dir= cache-dir= config=
  run|exec : run rest
  env remove|prune : exec "works on its own environment"
  self add|remove|update|install|lock|sync : exec "works on its own environment"
  show|list|check|status|info|search|about|env|config|version|tree|graph|verify|self|python|dep|project|which : quiet
  publish|upload !--dry-run : upload "publishes", !publish
  otherwise exec "works on its own environment"
tool conda mamba micromamba
  style command
  options n|name= p|prefix= cwd= no-capture-output live-stream file= c|channel= y|yes q|quiet json v|verbose attach=
    clean-env d|detach
  run : run rest in --cwd
  list|info|search|repoquery|config|doctor|notices|shell|activate|deactivate|init|help : quiet
  otherwise exec "works on its own environment"
tool pipx
  style command
  options spec= python= from= with= path i|index-url= pip-args= no-cache v|verbose q|quiet fetch-missing-python
    system-site-packages suffix= e|editable f|force include-deps p=
  run : do package
  list|environment|completions : quiet
  otherwise exec "works on its own environment"
tool uvx
  style posix
  options p|python= from= with= with-editable= with-requirements= i|index-url= default-index= index= pip-args= spec=
    extra-index-url= f|find-links= refresh isolated no-cache n q|quiet v|verbose offline env-file= directory= project=
    config-file= cache-dir= color= U|upgrade P|upgrade-package= prerelease= resolution= exclude-newer= reinstall
    link-mode= C|config-setting= constraints= c= overrides= b= native-tls no-config no-progress no-env-file
  otherwise do package
tool bundle bundler
  style command
  options gemfile= keep-file-descriptors no-color V|verbose retry= without= with= path= jobs|j= quiet binstubs=
    frozen deployment local
  exec|e : run rest
  list|show|info|check|config|doctor|env|outdated|platform|licenses|version|viz|help : quiet
  otherwise exec "works on its own environment"
tool nix
  options c|command I= f|file= expr= E= impure pure k|keep= u|unset= p|packages= o|out-link= profile= override-input=
    accept-flake-config L|print-build-logs v|verbose quiet extra-experimental-features= experimental-features=
    option= no-link json refresh offline keep-going j|max-jobs= cores= system= store= arg= argstr= A|attr= i|ignore-env
    no-write-lock-file update-input= inputs-from= dry-run
  shell|develop|print-dev-env --command : do behindCommand
  run : unknown "starts a program of a package"
  eval|search|show-config|path-info|log|why-depends|hash|registry|doctor|derivation|config|help : quiet
  flake show|metadata|info|check : quiet
  store ls|cat|diff-closures|verify|ping|info|path-from-hash-part : quiet
  profile list|history|diff-closures : quiet
  store gc|delete|optimise : exec "works on its own store"
  otherwise exec "works on its own environment"
tool nix-shell
  options run|command=shell p|packages I= A|attr= E|expr= arg= argstr= i= pure impure keep= exclude= j|max-jobs= cores=
    v|verbose Q quiet option= show-trace keep-failed keep-going
  --run : quiet
  otherwise exec "works on its own environment"
`,
  {
    package({ call, rest: [first, ...args] }, emit) {
      if (/^(?:git\+)?https?:\/\/(?!registry\.npmjs\.org\/|(?:www\.)?github\.com\/)/.test(first?.value ?? ""))
        return emit.unknown(`${call.name} runs a package from an address`, { hazard: hazard("download-and-run") });
      if (first) emit.run([programOf(first), ...args], `run by ${call.name}`);
    },
    behindCommand({ call }, emit) {
      const at = call.args.findIndex((arg) => /^(-c|--command)$/.test(arg.value ?? ""));
      emit.run(call.args.slice(at + 1), "run by nix");
    },
  },
);

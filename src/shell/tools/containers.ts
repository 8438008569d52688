// docker, podman, compose: builds and lists are quiet, host mounts and prunes are not.
// Invariant: what of this machine a container may reach is judged by its mounts; commands inside it are remote.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit } from "../analyze/tool.js";
import type { View } from "../analyze/views.js";
import { isCredentialMount } from "../hazards/credentials.js";
import { type Code, commandLine, type SpecFamily, tools, type Use } from "../spec/interpret.js";
import { isStream, literal, type Parsed, parse, syntax } from "../spec/options.js";
import { handedOn, settle } from "../spec/readings.js";

const runOptions = `
  v|volume= mount= e|env= env-file= p|publish= w|workdir= u|user= name= entrypoint= network|net= h|hostname=
  l|label= label-file= m|memory= memory-swap= memory-reservation= cpus= c|cpu-shares= cpuset-cpus= cpu-quota= gpus=
  device= cap-add= cap-drop= security-opt= pid= ipc= uts= userns= ulimit= restart= platform= pull= add-host= dns=
  dns-search= link= tmpfs= log-driver= log-opt= shm-size= stop-signal= stop-timeout= cidfile= cgroupns=
  cgroup-parent= runtime= volumes-from= a|attach= volume-driver= health-cmd= health-interval= health-timeout=
  health-retries= health-start-period= isolation= sysctl= expose= ip= ip6= mac-address= network-alias= annotation=
  group-add= blkio-weight= pids-limit= oom-score-adj= storage-opt= domainname= detach-keys= pod= arch= os= secret=
  authfile= systemd= cpu-period= index= scale= read-only rm i|interactive t|tty d|detach P|publish-all privileged
  init q|quiet no-healthcheck replace sig-proxy=? oom-kill-disable disable-content-trust=? T|no-TTY no-deps build
  service-ports remove-orphans use-aliases`;
const runSyntax = syntax(runOptions, { posix: true });

const stopSyntax = syntax("v|volumes f|force stop rmi= t|timeout= signal= remove-orphans a|all");

const wordsBehind = ({ call, given, path }: Use): Arg[] =>
  call.args.slice(call.args.indexOf(given.operands[path.length - 1]!) + 1);

/** What follows the sub-command, by its own options; the words behind its first operand are another program's. */
function innerCall(use: Use): Parsed {
  const inner = parse(wordsBehind(use), runSyntax);
  handedOn(inner.operands.slice(1));
  return inner;
}

interface Mount {
  source?: string;
  target?: string;
  readonly: boolean;
  /** A volume of the container service, not a directory. */
  named?: boolean;
}

function mountsOf(given: Parsed): Mount[] {
  const volumes = given.values("volume").map((volume): Mount => {
    if (volume.value === undefined) return { readonly: false };
    const [source, target, options] = volume.value.split(":");
    const named = /^\w[\w.-]*$/.test(source ?? "");
    return { source, target, readonly: /(^|,)ro(,|$)/.test(options ?? ""), named };
  });
  const long = given.values("mount").map((mount): Mount => {
    const parts = new Map(
      (mount.value ?? "").split(",").map((part) => part.split("=") as [string, string | undefined]),
    );
    return {
      source: parts.get("source") ?? parts.get("src"),
      named: (parts.get("type") ?? "volume") === "volume",
      target: parts.get("target") ?? parts.get("destination") ?? parts.get("dst"),
      readonly: /^(?:true|1|)$/.test(
        parts.get("readonly") ?? parts.get("ro") ?? (parts.has("readonly") || parts.has("ro") ? "" : "no"),
      ),
    };
  });
  return [...volumes, ...long];
}

const systemFolders = /^\/(etc|root|boot|dev|proc|sys|usr|var|bin|lib|sbin|home|Users)$/;

function judgeMount({ source, readonly, named }: Mount, emit: Emit): void {
  if (!source || named || !/^[/~.]/.test(source)) return;
  const path = source.replace(/(.)\/+$/, "$1");
  const reason = `container gets ${path} of the machine`;
  if (/(docker|podman|containerd)\.sock/.test(path)) return emit.hazard(hazard("docker-socket-mount"), reason);
  if (path === "/" && !readonly) return emit.hazard(hazard("docker-root-mount"), reason);
  if (path === "/" || path === "~" || systemFolders.test(path))
    return emit.hazard(hazard("docker-folder-mount"), reason);
  const secret = isCredentialMount(path);
  if (readonly || secret) emit.read(literal(path), "mounted into a container", { recursive: true, how: "use" });
  // Given to a program that needs it, not shown: what the command itself reads of it is judged by its path.
  if (secret) emit.hazard(hazard("docker-credential-mount"), reason);
}

/** Named volumes lie where only the container service looks. */
const volumeFolder = "/var/lib/docker/volumes";

function viewOf({ source, target, readonly, named }: Mount, emit: Emit): View[] {
  if (source === undefined || !target?.startsWith("/")) return [];
  const inHome = () => emit.resolve(literal(source.replace(/^~(?=\/|$)/, emit.home ?? "~")));
  const path = named ? `${volumeFolder}/${source}` : inHome();
  return path === undefined ? [] : [{ source: path, target: target.replace(/(.)\/+$/, "$1"), readonly }];
}

const composeFiles = ["docker-compose.yml", "compose.yaml", "compose.yml", "docker-compose.yaml"];

/** Directories a compose file gives its services: `- ./src:/app/src:ro`. */
function composedViews(file: Arg | undefined, emit: Emit): View[] {
  const names = file ? [file] : composeFiles.map(literal);
  const text = names.map((name) => emit.projectFile(name)).find((found) => found !== undefined);
  return [...(text ?? "").matchAll(/^\s*-\s*["']?([.~/][^:"'\s]*):(\/[^:"'\s]*)(?::(\S*?))?["']?\s*$/gm)]
    .slice(0, 64)
    .flatMap(([, source, target, options]) =>
      viewOf({ source, target, readonly: /(^|,)ro(,|$)/.test(options ?? "") }, emit),
    );
}

/** Rights and devices of the machine a container is given. */
function judgeRights(inner: Parsed, emit: Emit): void {
  if (inner.has("privileged")) emit.hazard(hazard("docker-privileged"), "a privileged container rules the machine");
  for (const { value } of inner.values("cap-add", "pid", "ipc", "userns", "network"))
    if (/^(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH)$/i.test(value ?? ""))
      emit.hazard(hazard("docker-capability"), `container with ${value}`);
  if (inner.values("pid").some(({ value }) => value === "host"))
    emit.hazard(hazard("docker-host-pid"), "container sees the processes of the machine");
  for (const { value } of inner.values("device"))
    if (/^\/dev\/(sd|nvme|hd|vd|mapper|mem|kmem)/.test(value ?? ""))
      emit.hazard(hazard("docker-device"), "container gets a disk");
}

const code: Code = {
  run(use, emit) {
    const { call } = use;
    const inner = innerCall(use);
    const [image, ...command] = inner.operands;
    for (const file of inner.values("env-file", "label-file")) emit.read(file, `${call.name} reads it`, { how: "use" });
    const mounts = mountsOf(inner);
    for (const mount of mounts) judgeMount(mount, emit);
    judgeRights(inner, emit);
    emit.effect({
      kind: "exec",
      program: call.name,
      argv: call.args.map((arg) => arg.value),
      reason: `${call.name} starts ${image?.source ?? "a container"}`,
    });
    // The image of the client itself: what it is told, it tells the service of this machine.
    const isClient = /^(?:docker\.io\/)?(?:library\/)?docker(?::|$)/.test(image?.value ?? "");
    const sayable = isClient && !/^(?:docker|sh|ash)$/.test(command[0]?.value ?? "sh");
    const entry = inner.value("entrypoint") ?? (sayable ? literal("docker") : undefined);
    const text = commandLine(entry ? [entry, ...command] : command);
    const views = mounts.flatMap((mount) => viewOf(mount, emit));
    const open = inner.has("privileged", "volumes-from", "device", "pid", "env-file") || inner.unsure;
    if (text)
      emit.remote(text, image?.value, "runs inside the container", {
        contained: !open && views.length === mounts.length,
        views,
        cwd: inner.value("workdir")?.value,
        home: "/root",
      });
  },
  exec(use, emit) {
    const [container, ...command] = innerCall(use).operands;
    emit.remote(commandLine(command), container?.value, "runs inside the container");
  },
  /** docker compose run web rake, docker compose exec db psql */
  service(use, emit) {
    const inner = innerCall(use);
    const [service, ...command] = inner.operands;
    const mounted = mountsOf(inner).flatMap((mount) => viewOf(mount, emit));
    emit.remote(commandLine(command), service?.value, "runs inside the container", {
      views: [...mounted, ...composedViews(use.given.value("file"), emit)],
      cwd: inner.value("workdir")?.value,
    });
  },
  /** docker compose down, rm, kill, stop: with their volumes or without. */
  stopServices(use, emit) {
    const verb = use.path[0]!;
    const given = parse(wordsBehind(use), stopSyntax);
    if (verb === "down")
      emit.hazard(hazard(given.has("volumes") ? "compose-down-volumes" : "compose-down"), "compose down");
    else
      emit.hazard(
        hazard(given.has("volumes") ? "container-volume" : "container-remove", `compose-${verb}`),
        `compose ${verb}`,
      );
  },
  /** docker cp container:/path local, local container:/path */
  copy({ call, rest: [from, to] }, emit) {
    const inside = (word: Arg) => /^[^/.][^/:]*:/.test(word.value ?? word.prefix);
    if (from && !inside(from) && !isStream(from)) emit.read(from, `${call.name} cp`, { recursive: true });
    if (to && !inside(to) && !isStream(to)) emit.write(to, `${call.name} cp`, { recursive: true });
  },
  /** `docker rm -f $(docker ps -aq)`: all there are. */
  remove({ call, given, path }, emit) {
    // Here -f is force and takes no word.
    settle(["f"]);
    const listed = call.args.some(
      (word) => word.value === undefined && word.from?.some((name) => /^(docker|podman|nerdctl)$/.test(name)),
    );
    const id = listed || given.has("all") ? "container-remove-all" : "container-remove";
    emit.hazard(hazard(id, `${call.name}-${path.at(-1)}`), `${call.name} ${path.join(" ")}`);
  },
  /** The whole of it is a look at how a container runs; its variables alone are its settings. */
  inspect({ call }, emit) {
    const asked = call.args.some((word) => /\{\{[^}]*\.(?:Config(?:\.Env\b|\s*\}\})|Env\b)/.test(word.value ?? ""));
    if (asked) emit.hazard(hazard("app-settings"), `${call.name} prints the variables of a container`);
  },
  /** `acme/shop` without a server is a name of the public Docker Hub: it reaches everyone. */
  push({ call, rest }, emit) {
    const host = /^([^/]*[.:][^/]*|localhost)\//.exec(rest[0]?.value ?? rest[0]?.prefix ?? "")?.[1];
    emit.effect({ kind: "network", program: call.name, host, upload: true, reason: `${call.name} push` });
    const isPublic = host === undefined ? rest[0]?.value?.includes("/") : /(?:^|\.)docker\.io$/.test(host);
    if (isPublic) emit.hazard(hazard("publish"), `${call.name} push reaches everyone`);
  },
  compose(use, emit) {
    families
      .find(({ names }) => names.includes("docker-compose"))!
      .lower({ ...use.call, name: "docker-compose", args: wordsBehind(use) }, emit);
  },
  execThere({ call, rest, raw }, emit) {
    const dashes = raw.findIndex((word) => word.value === "--");
    const words = dashes >= 0 ? raw.slice(dashes + 1) : rest.slice(1);
    emit.remote(commandLine(words), rest[0]?.value, `${call.name} exec`);
  },
};

const families: SpecFamily[] = tools(
  "containers",
  `
tool docker podman nerdctl finch lima-nerdctl buildah
  help first
# -f is a filter, a file or force, -p a port or a password, by sub-command: not listed, so both readings are tried.
  options H|host= c|context= config= l|log-level= tlscacert= tlscert= tlskey= tls tlsverify D|debug v|volumes url=
    connection= identity= root= runroot= storage-driver= cgroup-manager= namespace= a|all q|quiet o|output= t|tag=
    file= build-arg= target= platform= e|env= w|workdir= u|user= i|input= n|tail= since= until= name= filter= format=
    cache-from= cache-to= secret= ssh= username= password= password-stdin iidfile= progress= add-host= network= label=
    from= scale= replicas= force no-cache pull push load rm s|size no-trunc follow timestamps details time= signal=
    no-stream latest last= builder= metadata-file= sbom= provenance= allow= driver= driver-opt= use bootstrap gateway=
    subnet= ip-range= opt= d|detach keep-storage= no-prune volume-opt= endpoint= all-tags digests tree
  run|create or container run|create : do run
  exec or container exec : do exec
  compose : do compose
  --help or #0 : quiet
  build|bake or buildx|builder|image build|bake|b : exec "builds an image", write --iidfile|metadata-file
  cp or container cp : do copy
  save|export or image|container save|export : write --output
  load|import or image load|import : read --input
  push or image|manifest push : do push
  pull|search or image pull : network
  login : network, write ~/.docker/config.json own-store
  system prune --all|volumes or system reset : !container-volume-all({path})
  system prune : !container-volume({path})
  volume rm|remove|prune --all : !container-volume-all({path})
  volume rm|remove|prune : !container-volume({path})
  pod rm|remove|prune --all : !container-remove-all({path})
  image|container|network|builder|buildx|pod|plugin rm|remove|prune : !container-remove({path})
  stack|service|swarm|secret|config|node|context|machine rm|remove|leave|demote|reset : !swarm-remove({path})
  rm|rmi|kill or container kill : do remove
  stop|restart|pause : !container-remove({path})
  container stop : !container-remove({name}-stop)
  inspect or container inspect : do inspect
  ps|images|logs|version|info|stats|top|port|diff|events|history|tag|start|unpause|rename|update|wait : quiet
  attach|commit : quiet
  logout|system|volume|network|image|container|builder|buildx|context|plugin|manifest|trust|checkpoint|pod : quiet
  machine : quiet
  stack|service|swarm|secret|config|node|scout|model|mcp|desktop|init|debug|extension|sbom|ai|offload|sandbox : quiet
  completion : quiet
  generate|play|kube|healthcheck|unshare|mount|unmount|umount|auto-update|farm|artifact|untag|namespace : quiet
  apparmor : quiet
  from|add|copy|bud|containers|list|ls : quiet
  otherwise unknown
tool docker-compose podman-compose
  style posix
  options f|file= p|project-name= profile= env-file= project-directory= parallel= ansi= progress= H|host= c|context=
    D|debug verbose no-ansi compatibility all-resources tls tlsverify tlscacert= tlscert= tlskey= v
  dry dry-run=?
  #0 : quiet
  run|exec : do service
  * ~--help|--dry-run : quiet
  down|rm|kill|stop : do stopServices
  cp : do copy
  push : upload
  ps|logs|config|convert|images|top|ls|port|version|events|stats|volumes : quiet
  otherwise exec "starts, builds or changes the services of the project"
tool crictl ctr lxc lxd incus skopeo crane dive hadolint trivy grype syft cosign
  options n|namespace= o|output= f|format= r|runtime-endpoint= i|image-endpoint= c|config= t|timeout= a|address= force
    all project= severity= exit-code= scanners= ignore-unfixed key=read:use certificate-identity=
    certificate-oidc-issuer= platform= src-creds= dest-creds= authfile=read:use cache-dir= ignorefile=read skip-dirs=
    skip-files= vuln-type= q|quiet d|debug v|verbose ignore= failure-threshold= insecure fail-on= scope= dest=
  exec : do execThere
  rm|rmi|rmp|delete : !container-remove-all({path})
  images|containers|image|container|snapshot|snapshots rm|remove|delete : !container-remove-all({path})
  @trivy plugin|p : exec "runs or changes a plug-in"
  @hadolint|trivy|grype|syft|dive : quiet
  list|ls|ps|pods|images|inspect*|info|logs|stats*|version|pull|push|image|container|containers|snapshot|start : quiet
  stop : quiet
  launch|init|config|copy|move|file|network|profile|storage|remote|cluster|project|query|monitor|console : quiet
  restart|publish : quiet
  copy|list-tags|sync|login|logout|digest|manifest|catalog|tag|append|mutate|export|validate|auth|blob|flatten : quiet
  rebase : quiet
  sign|verify*|attest|attach|generate*|download|save|load|tree|triangulate|upload|public-key|initialize|clean : quiet
  env : quiet
  run|create|port-forward|attach|tasks|content|events|leases|namespaces|plugins|sandboxes|shim|update|runp : quiet
  stopp|metricsp : quiet
  sign-blob|dockerfile|import-key-pair|piv-tool|pkcs11-tool|policy|completion : quiet
  otherwise unknown
`,
  code,
);

export const containers = families;

// docker, podman, compose: builds and lists are quiet, host mounts and prunes are not.
// Invariant: what of this machine a container may reach is judged by its mounts; commands inside it are remote.

import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import type { View } from "../analyze/views.js";
import { isCredentialMount } from "../hazards/credentials.js";
import { atHome, literal, type Parsed, parse, syntax } from "../spec/options.js";
import { all, cli, commandLine } from "./commands.js";
import { asksHelpFirst, executes, isStream } from "./table.js";

const runSyntax = syntax(
  "v|volume= mount= e|env= env-file= p|publish= w|workdir= u|user= name= entrypoint= network=  h|hostname= l|label= label-file= m|memory= cpus= c|cpu-shares= gpus= device= cap-add= cap-drop= security-opt= pid= ipc= uts= userns= ulimit= restart= platform= pull= add-host= dns= link= tmpfs= log-driver= log-opt= shm-size= stop-signal= stop-timeout= cidfile= cgroupns= runtime= volumes-from= read-only rm i|interactive t|tty d|detach P privileged init a|attach= volume-driver= health-cmd= isolation= sysctl= expose= ip= mac-address= annotation= group-add= blkio-weight= pids-limit= oom-score-adj= storage-opt=",
  { posix: true },
);

function runs(args: readonly Arg[], call: Invocation, emit: Emit): void {
  const given = parse(args, runSyntax);
  const [image, ...command] = given.operands;
  for (const file of given.values("env-file", "label-file")) emit.read(file, `${call.name} reads it`, { how: "use" });
  const mounted = mounts(given);
  for (const mount of mounted) judgeMount(mount, emit);
  if (given.has("privileged"))
    emit.hazard({ class: "system", level: 2, id: "docker-privileged" }, "a privileged container rules the machine");
  for (const capability of given.values("cap-add", "pid", "ipc", "userns", "network"))
    if (/^(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH)$/i.test(capability.value ?? ""))
      emit.hazard({ class: "system", level: 2, id: "docker-capability" }, `container with ${capability.value}`);
  if (given.values("pid").some((value) => value.value === "host"))
    emit.hazard({ class: "system", level: 2, id: "docker-host-pid" }, "container sees the processes of the machine");
  for (const device of given.values("device"))
    if (/^\/dev\/(sd|nvme|hd|vd|mapper|mem|kmem)/.test(device.value ?? ""))
      emit.hazard({ class: "disk", level: 2, id: "docker-device" }, "container gets a disk");
  executes(call, emit, `${call.name} starts ${image?.source ?? "a container"}`);
  const entry = given.value("entrypoint");
  const inner = commandLine(entry ? [entry, ...command] : command);
  const views = mounted.flatMap((mount) => viewOf(mount, emit));
  const open =
    given.has("privileged", "volumes-from", "device", "pid", "env-file") ||
    given.unsure ||
    views.length < mounted.length;
  if (inner)
    emit.remote(inner, image?.value, "runs inside the container", {
      contained: !open,
      views,
      cwd: given.value("workdir")?.value,
      home: "/root",
    });
}

/** Named volumes lie where only the container service looks. */
const volumes = "/var/lib/docker/volumes";

function viewOf({ source, target, readonly, named }: Mount, emit: Emit): View[] {
  if (source === undefined || !target?.startsWith("/")) return [];
  const path = named ? `${volumes}/${source}` : emit.resolve(literal(source.replace(/^~(?=\/|$)/, emit.home ?? "~")));
  return path === undefined ? [] : [{ source: path, target: target.replace(/(.)\/+$/, "$1"), readonly }];
}

interface Mount {
  source?: string;
  target?: string;
  readonly: boolean;
  /** A volume of the container service, not a directory. */
  named?: boolean;
}

function mounts(given: Parsed): Mount[] {
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

function judgeMount({ source, readonly, named }: Mount, emit: Emit): void {
  if (!source || named || !/^[/~.]/.test(source)) return;
  const path = source.replace(/(.)\/+$/, "$1");
  if (/docker\.sock|podman\.sock|containerd\.sock/.test(path))
    return emit.hazard(
      { class: "system", level: 2, id: "docker-socket-mount" },
      "container rules the container service",
    );
  if (path === "/" || /^\/(etc|root|boot|dev|proc|sys|usr|var|bin|lib|sbin|home|Users)$/.test(path) || path === "~")
    return emit.hazard(
      { class: "system", level: readonly || path !== "/" ? 2 : 3, id: "docker-root-mount" },
      `container gets ${path} of the machine`,
    );
  const secret = isCredentialMount(path);
  if (readonly || secret) emit.read(literal(path), "mounted into a container", { recursive: true, how: "use" });
  // Given to a program that needs it, not shown: what the command itself reads of it is judged by its path.
  if (secret)
    emit.hazard(
      { class: "credential-read", level: 2, id: "docker-credential-mount" },
      `container gets ${path} of the machine`,
    );
}

/** docker cp container:/path local, local container:/path */
function copies(operands: readonly Arg[], emit: Emit): void {
  const [from, to] = operands;
  const inside = (word: Arg | undefined) => /^[^/.][^/:]*:/.test(word?.value ?? word?.prefix ?? "");
  if (from && !inside(from) && !isStream(from)) emit.read(from, "docker cp", { recursive: true });
  if (to && !inside(to) && !isStream(to)) emit.write(to, "docker cp", { recursive: true });
}

const globals = syntax("H|host= c|context= config= l|log-level= tlscacert= tlscert= tlskey= D|debug", { posix: true });

const docker: ToolFamily = {
  names: ["docker", "podman", "nerdctl", "finch", "lima-nerdctl", "buildah"],
  lower(call, emit) {
    if (asksHelpFirst(call)) return;
    const outer = parse(call.args, globals);
    const [first, ...after] = outer.operands;
    if (!first) return;
    if (first.value === undefined) return emit.unknown(`the sub-command of ${call.name} is not static`);
    const grouped =
      /^(container|image|volume|network|system|builder|buildx|compose|stack|service|swarm|context|secret|config|node|plugin|manifest|trust|checkpoint|pod|machine)$/.test(
        first.value,
      );
    if (first.value === "compose") return compose.lower({ ...call, name: "docker-compose", args: after }, emit);
    const verb = grouped ? (after[0]?.value ?? "") : first.value;
    const rest = grouped ? after.slice(1) : after;
    const group = grouped ? first.value : "";
    const given = parse(
      rest,
      syntax(
        "f|filter= format= o|output= t|tag= file= build-arg= target= platform= e|env= w|workdir= u|user= a|all force volumes i n|tail= since= name= cache-from= cache-to= secret= ssh= p|password= username= iidfile= progress= add-host= network= label= from= scale= replicas=",
        { posix: verb === "exec" },
      ),
    );
    if ((verb === "run" || verb === "create") && (group === "" || group === "container")) return runs(rest, call, emit);
    if (verb === "exec" && group !== "config") {
      const inner = parse(
        rest,
        syntax("e|env= w|workdir= u|user= env-file= detach-keys= i t d privileged", { posix: true }),
      );
      const [container, ...command] = inner.operands;
      return emit.remote(commandLine(command), container?.value, "runs inside the container");
    }
    if (verb === "cp") return copies(given.operands, emit);
    if (/^(build|bake)$/.test(verb)) {
      for (const file of given.values("iidfile")) emit.write(file, `${call.name} build`);
      return executes(call, emit, `${call.name} build`);
    }
    if (/^(save|export)$/.test(verb))
      for (const file of given.values("output")) emit.write(file, `${call.name} ${verb}`);
    if (/^(load|import)$/.test(verb))
      for (const file of parse(rest, syntax("i|input=")).values("input")) emit.read(file, `${call.name} ${verb}`);
    if (/^(pull|push|login|search)$/.test(verb))
      emit.effect({
        kind: "network",
        program: call.name,
        reason: `${call.name} ${verb}`,
        ...(verb === "push" && { upload: true }),
      });
    if (verb === "login")
      emit.write(atHome(call, ".docker/config.json"), `${call.name} login keeps the credential`, { how: "own-store" });
    hazards(group, verb, given, call, emit);
  },
};

function hazards(group: string, verb: string, given: Parsed, call: Invocation, emit: Emit): void {
  const say = (level: 1 | 2 | 3, id: string) =>
    emit.hazard(
      { class: "infrastructure", level, id: `${call.name}-${id}` },
      `${call.name} ${id.replaceAll("-", " ")}`,
    );
  // With -f given its filter meaning above, force shows as "f" for prunes.
  const everything = given.has("all", "volumes");
  if (group === "system" && (verb === "prune" || verb === "reset"))
    return say(everything || verb === "reset" ? 3 : 2, `system-${verb}`);
  if (group === "volume" && (verb === "rm" || verb === "remove" || verb === "prune"))
    return say(given.has("all") ? 3 : 2, `volume-${verb}`);
  if (/^(image|container|network|builder|buildx|pod)$/.test(group) && /^(rm|remove|prune)$/.test(verb))
    return say(group === "pod" && given.has("all") ? 2 : 1, `${group}-${verb}`);
  if (
    /^(stack|service|swarm|secret|config|node|context|machine)$/.test(group) &&
    /^(rm|remove|leave|demote|reset)$/.test(verb)
  )
    return say(2, `${group}-${verb}`);
  // `docker rm -f $(docker ps -aq)`: all there are.
  const listed = call.args.some(
    (word) => word.value === undefined && word.from?.some((name) => /^(docker|podman|nerdctl)$/.test(name)),
  );
  if (/^(rm|rmi|kill|stop|restart|pause)$/.test(verb) || (group === "container" && /^(kill|stop)$/.test(verb)))
    return say((listed || given.has("all")) && /^(rm|rmi|kill)$/.test(verb) ? 2 : 1, verb);
}

/** Directories a compose file gives its services: `- ./src:/app/src:ro`. */
function composed(file: Arg | undefined, emit: Emit): View[] {
  const names = file
    ? [file]
    : ["docker-compose.yml", "compose.yaml", "compose.yml", "docker-compose.yaml"].map(literal);
  const text = names.map((name) => emit.projectFile(name)).find((found) => found !== undefined);
  return [...(text ?? "").matchAll(/^\s*-\s*["']?([.~/][^:"'\s]*):(\/[^:"'\s]*)(?::(\S*?))?["']?\s*$/gm)]
    .slice(0, 64)
    .flatMap(([, source, target, options]) =>
      viewOf({ source, target, readonly: /(^|,)ro(,|$)/.test(options ?? "") }, emit),
    );
}

const compose: ToolFamily = {
  names: ["docker-compose", "podman-compose"],
  lower(call, emit) {
    if (asksHelpFirst(call)) return;
    const outer = parse(
      call.args,
      syntax("f|file= p|project-name= profile= env-file= project-directory= parallel= ansi= progress=", {
        posix: true,
      }),
    );
    const [verb, ...rest] = outer.operands;
    const given = parse(
      rest,
      syntax("v|volumes rmi= t|timeout= e|env= w|workdir= u|user= index= scale= d|detach build T", {
        posix: verb?.value === "exec" || verb?.value === "run",
      }),
    );
    switch (verb?.value) {
      case "down":
        return given.has("volumes")
          ? emit.hazard(
              { class: "infrastructure", level: 2, id: "compose-down-volumes" },
              "compose down -v deletes volumes",
            )
          : emit.hazard({ class: "infrastructure", level: 1, id: "compose-down" }, "compose down");
      case "rm":
      case "kill":
      case "stop":
        return emit.hazard(
          { class: "infrastructure", level: given.has("volumes") ? 2 : 1, id: `compose-${verb.value}` },
          `compose ${verb.value}`,
        );
      case "exec":
      case "run": {
        const inner = parse(rest, runSyntax);
        const [service, ...command] = inner.operands;
        const file = outer.value("file");
        const views = [...mounts(inner).flatMap((mount) => viewOf(mount, emit)), ...composed(file, emit)];
        return emit.remote(commandLine(command), service?.value, "runs inside the container", {
          views,
          cwd: inner.value("workdir")?.value,
        });
      }
      case "cp":
        return copies(given.operands, emit);
      case "push":
        return emit.effect({ kind: "network", program: call.name, upload: true, reason: "compose push" });
      case "ps":
      case "logs":
      case "config":
      case "images":
      case "top":
      case "ls":
      case "port":
      case "version":
      case undefined:
        return;
      default:
        return executes(call, emit, `compose ${verb?.source}`);
    }
  },
};

const small = cli({
  names: "crictl ctr lxc lxd incus skopeo crane dive hadolint trivy grype syft cosign",
  takes: "n= o= f= output= format=",
  verbs: [
    {
      path: "exec",
      does: ({ call, raw, rest }, emit) => {
        const at = raw.findIndex((word) => word.value === "--");
        emit.remote(commandLine(at >= 0 ? raw.slice(at + 1) : rest.slice(1)), rest[0]?.value, `${call.name} exec`);
      },
    },
    ...all("infrastructure:2", [
      "rm|rmi|rmp|delete",
      "images|containers rm|remove|delete",
      "image|container|snapshot rm|remove|delete",
    ]),
  ],
});

export const containers = [docker, compose, small];

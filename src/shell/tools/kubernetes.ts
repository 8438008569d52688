// kubectl, helm and cluster tools.
// Invariant: deleting a namespace, a volume or everything is a proven disaster; reading the cluster is quiet, its secrets are credentials.
import type { Arg } from "../analyze/tool.js";
import { all, cli, commandLine, type Use } from "./commands.js";
import { isStream } from "./table.js";

const dry = ["dry-run", "dry-run=client"];

const kubectl = cli({
  names: "kubectl oc k kubecolor microk8s.kubectl",
  reaches: "network",
  takes:
    "n|namespace= f|filename= k|kustomize= l|selector= o|output= context= kubeconfig= cluster= user= s|server= token= c|container= field-selector= p|patch= type= replicas= image= from-literal= from-file= from-env-file= as= grace-period= timeout= since= tail= local= sort-by= template= overrides= cascade=? dry-run=?",
  verbs: [
    { path: "delete", unless: dry, does: remove },
    { path: "delete", needs: dry },
    ...all("infrastructure:2", ["drain", "replace", "taint", "evict"], { unless: dry }),
    {
      path: "scale",
      unless: dry,
      does: ({ given }, emit) =>
        emit.hazard(
          { class: "infrastructure", level: given.value("replicas")?.value === "0" ? 2 : 1, id: "kubectl-scale" },
          "kubectl scale",
        ),
    },
    ...all(
      "infrastructure:1",
      ["apply", "cordon", "rollout undo|restart", "patch", "edit", "create", "set", "label", "annotate", "adm"],
      { unless: dry, does: readsManifest },
    ),
    { path: "get|describe secret|secrets", needs: ["output"], hazard: "credential-read:2", id: "kubectl-secret" },
    { path: "config view", needs: ["raw"], hazard: "credential-read:2", id: "kubeconfig" },
    {
      path: "exec|run|debug",
      does: ({ rest, given, raw }, emit) => {
        const at = raw.findIndex((word) => word.value === "--");
        const [pod, ...command] = rest;
        if (!given.has("dry-run"))
          emit.remote(commandLine(at >= 0 ? raw.slice(at + 1) : command), pod?.value, "kubectl runs it in the pod");
      },
    },
    { path: "cp", does: copies },
  ],
});

function remove({ given, rest }: Use, emit: Parameters<NonNullable<(typeof kubectl)["lower"]>>[1]): void {
  const kinds = (rest[0]?.value ?? "").split(",").map((kind) => kind.split("/")[0]!.toLowerCase());
  const whole =
    given.has("all", "all-namespaces", "A") ||
    kinds.some((kind) =>
      /^(ns|namespaces?|pvc?|persistentvolume(claim)?s?|crds?|customresourcedefinitions?(\..*)?|nodes?|no|statefulsets?|sts|all|clusters?|secrets?|storageclass(es)?|projects?)$/.test(
        kind,
      ),
    );
  for (const file of given.values("filename"))
    if (!isStream(file) && !/^https?:/.test(file.value ?? "")) emit.read(file, "kubectl delete -f");
  emit.hazard(
    { class: "infrastructure", level: whole ? 3 : 2, id: `kubectl-delete${kinds[0] ? `-${kinds[0]}` : ""}` },
    "kubectl delete",
  );
}

function readsManifest({ given }: Use, emit: Parameters<(typeof kubectl)["lower"]>[1]): void {
  for (const file of given.values("filename", "kustomize", "from-file", "from-env-file"))
    if (!isStream(file) && !/^https?:/.test(file.value ?? "")) emit.read(file, "kubectl reads it", { how: "use" });
}

/** kubectl cp pod:/path local, local pod:/path */
function copies({ rest }: Use, emit: Parameters<(typeof kubectl)["lower"]>[1]): void {
  const [from, to] = rest;
  const inPod = (word: Arg | undefined) => /^[^./][^:]*:/.test(word?.value ?? "");
  if (from && !inPod(from)) emit.read(from, "kubectl cp", { recursive: true });
  if (to && !inPod(to)) emit.write(to, "kubectl cp", { recursive: true });
}

const helm = cli({
  names: "helm helm3 helmfile",
  takes:
    "n|namespace= f|values= set= set-string= kube-context= kubeconfig= version= repo= timeout= d|destination= output-dir= o|output=",
  verbs: [
    ...all("infrastructure:2", ["uninstall|delete|del|un", "destroy", "rollback"], { unless: ["dry-run"] }),
    ...all("infrastructure:1", ["upgrade|install", "apply", "sync"], { unless: ["dry-run"] }),
    { path: "plugin install", hazard: "remote-code:2" },
    { path: "get values|all", hazard: "credential-read:1" },
    {
      path: "template|package|create|pull",
      does: ({ given }, emit) => {
        for (const directory of given.values("output-dir", "destination"))
          emit.write(directory, "helm writes it", { recursive: true });
      },
    },
  ],
});

const clusters = cli({
  names:
    "kind minikube k3d k3s k0s microk8s kubeadm talosctl argocd flux istioctl linkerd kustomize skaffold tilt kubectx kubens stern k9s cmctl",
  takes: "n|name= namespace= config= image= f=",
  verbs: [
    ...all("infrastructure:2", [
      "reset",
      "app|appset|proj|repo|account delete|delete-resource|rm|delete-token",
      "cluster rm",
      "uninstall",
      "delete source|kustomization|helmrelease",
    ]),
    ...all("infrastructure:2", ["delete", "cluster delete"], { needs: ["all", "purge"] }),
    ...all("infrastructure:1", ["delete", "cluster delete", "cluster stop"]),
  ],
});

export const kubernetes = [kubectl, helm, clusters];

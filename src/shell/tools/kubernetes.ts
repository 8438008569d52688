// kubectl, helm and cluster tools.
// Invariant: deleting a namespace, a volume or everything is a proven disaster; reading the cluster is quiet, its
// secrets are credentials.
import { hazard } from "../../model/hazards.js";
import type { Arg } from "../analyze/tool.js";
import { type Code, commandLine, tools } from "../spec/interpret.js";
import { isStream } from "../spec/options.js";

/** Kinds whose deletion takes much more with it than themselves. */
const wholes = [
  "ns|namespaces?",
  "pvc?|persistentvolume(claim)?s?|storageclass(es)?",
  "crds?|customresourcedefinitions?(\\..*)?",
  "nodes?|no|clusters?|projects?",
  "statefulsets?|sts|secrets?|all",
];
const wholeKind = new RegExp(`^(${wholes.join("|")})$`);

const code: Code = {
  delete({ given, rest }, emit) {
    const kinds = (rest[0]?.value ?? "").split(",").map((kind) => kind.split("/")[0]!.toLowerCase());
    const whole = given.has("all", "all-namespaces") || kinds.some((kind) => wholeKind.test(kind));
    for (const file of given.values("filename"))
      if (!isStream(file) && !/^https?:/.test(file.value ?? "")) emit.read(file, "kubectl delete -f");
    const name = `kubectl-delete${kinds[0] ? `-${kinds[0]}` : ""}`;
    emit.hazard(hazard(whole ? "kubectl-delete-whole" : "kubectl-delete", name), "kubectl delete");
  },
  exec({ rest, raw }, emit) {
    const at = raw.findIndex((word) => word.value === "--");
    const [pod, ...command] = rest;
    emit.remote(commandLine(at >= 0 ? raw.slice(at + 1) : command), pod?.value, "kubectl runs it in the pod");
  },
  /** kubectl cp pod:/path local, local pod:/path */
  copy({ rest: [from, to] }, emit) {
    const inPod = (word: Arg) => /^[^./][^:]*:/.test(word.value ?? "");
    if (from && !inPod(from)) emit.read(from, "kubectl cp", { recursive: true });
    if (to && !inPod(to)) emit.write(to, "kubectl cp", { recursive: true });
  },
};

export const kubernetes = tools(
  "kubernetes",
  `
tool kubectl oc k kubecolor microk8s.kubectl
  options n|namespace= f|filename= k|kustomize= l|selector= o|output= context= kubeconfig= cluster= user= s|server=
    token=
    c|container= field-selector= p|patch= type= replicas= image= from-literal= from-file= from-env-file= as= as-group=
    grace-period= timeout= since= since-time= tail= local sort-by= template= overrides= cascade=? v= vmodule=
    request-timeout=
    cache-dir= certificate-authority= client-certificate= client-key= insecure-skip-tls-verify=? tls-server-name=
    password= username= profile= profile-output= log-flush-frequency= match-server-version warnings-as-errors
    A|all-namespaces all w|watch wait=? force now i|stdin t|tty q|quiet R|recursive h|help ignore-not-found=? raw
    L|label-columns= show-labels no-headers chunk-size= subresource= server-side field-manager= prune record=?
    save-config
    overwrite resource-version= to-revision= port= target-port= protocol= env= command restart= rm labels=
    annotations=
    ignore-daemonsets delete-emptydir-data delete-local-data pod-selector= disable-eviction max= min= cpu-percent=
    flatten minify
    allow-missing-template-keys=? address= previous prefix follow timestamps limit-bytes= max-log-requests=
  dry dry-run=?
  reaches network
  delete : do delete
  drain|replace|taint|evict : !cluster-disrupt({path})
  scale --replicas=0 : !kubectl-scale-to-zero
  scale : !kubectl-scale
  rollout undo|restart : !cluster-change({path}), read --filename|kustomize|from-file|from-env-file use
  apply|cordon|patch|edit|create|set|label|annotate|adm :
    !cluster-change({path}), read --filename|kustomize|from-file|from-env-file use
  get secret|secrets|secret/* --output=name|wide|*.metadata.* : quiet
  get|describe secret|secrets|secret/* --output : !kubectl-secret
  config view --raw : !kubeconfig
  config delete-*|set|set-*|unset|rename-context|use|use-context : write ~/.kube/config own-store
  exec|run|debug|rsh : do exec
  cp : do copy
  get|describe|logs|top|explain|diff|wait|version|cluster-info|api-resources|api-versions|config|auth|events|plugin :
    quiet
  rollout status|history|pause|resume : quiet
  port-forward|proxy|attach|completion|options|kustomize|uncordon|expose|autoscale|certificate : quiet
  whoami|project|projects|status|login : quiet
  otherwise unknown
tool helm helm3 helmfile
  options n|namespace= f|values= set= set-string= set-file= set-json= kube-context= kubeconfig= kube-apiserver=
    kube-token=
    kube-as-user= kube-as-group= kube-ca-file= version= repo= timeout= d|destination= output-dir= o|output=
    l|selector=
    e|environment= registry-config= repository-cache= repository-config= burst-limit= qps= history-max=
    post-renderer=program
    i|install wait atomic debug force reuse-values reset-values create-namespace devel no-hooks keep-history cascade=
    description= a|all q|quiet A|all-namespaces m|max= username= password= ca-file= cert-file= key-file= revision=
  dry dry-run=?
  uninstall|delete|del|un|destroy|rollback : !release-remove({path})
  upgrade|install|apply|sync : !release-change({path})
  plugin install|update : !plugin-install({path})
  get values|all : !release-values({path})
  template|package|create|pull|fetch : write --output-dir|destination tree
  list|ls|status|history|hist|show|inspect|search|lint|repo|dependency|dep|diff|get|env|test|verify|plugin|completion
    : quiet
  build|deps|charts|write-values|print-env|cache|registry|push : quiet
  otherwise unknown
tool kind minikube k3d k3s k0s microk8s kubeadm talosctl argocd flux istioctl linkerd kustomize skaffold tilt kubectx
tool kubens
tool stern k9s cmctl
  options n|name= namespace= config= image= filename= p|profile= server= context= kubeconfig= nodes= e|endpoints=
    o|output=
    driver= v= all purge
  reset or cluster rm : !cluster-remove({path})
  app|appset|proj|repo|account delete|delete-resource|rm|delete-token : !cluster-remove({path})
  uninstall or delete source|kustomization|helmrelease : !cluster-remove({path})
  delete --all|purge or cluster delete --all|purge : !cluster-remove({path})
  delete or cluster delete|del|stop or node delete : !cluster-delete({path})
  @kubectx|kubens|stern|k9s : quiet
  get|list|status|version|logs|completion|config|profile|addons|ip|image|node|cluster|app|appset|proj|repo|account :
    quiet
  build|render|diagnose|dashboard|service|tunnel|ssh|docker-env|cache|check|analyze|proxy-status|proxy-config|health :
    quiet
  start|stop|create|load|export|dev|run|up|ci|describe|args|trace|tree|events|stats|edges|viz|diagram|edit|cfg|fn :
    quiet
  pause|unpause|token|certs|inspect|kubectl|enable|disable|init|join|upgrade|install|bootstrap|reconcile|suspend|resume
    : quiet
  otherwise unknown
`,
  code,
);

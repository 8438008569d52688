import { kubernetes } from "./kubernetes.js";
import { table } from "./tool-table.js";

table("kubernetes", kubernetes, [
  ["kubectl scale deploy a --replicas=0", ["network kubectl", "!infrastructure:2:kubectl-scale"]],
  ["kubectl scale deploy a --replicas=3", ["network kubectl", "!infrastructure:1:kubectl-scale"]],
  ["helm rollback a 1", ["!infrastructure:2:helm-rollback"]],
  ["kubectl get pods", ["network kubectl"]],
  ["kubectl -n x logs pod", ["network kubectl"]],
  ["kubectl delete namespace prod", ["network kubectl", "!infrastructure:3:kubectl-delete-namespace"]],
  ["kubectl -n x delete pod/p", ["network kubectl", "!infrastructure:2:kubectl-delete-pod"]],
  ["kubectl delete pods --all", ["network kubectl", "!infrastructure:3:kubectl-delete-pods"]],
  ["kubectl delete -f a.yaml", ["network kubectl", "read a.yaml", "!infrastructure:2:kubectl-delete"]],
  ["kubectl delete pod p --dry-run=client", ["network kubectl"]],
  ["kubectl apply -f a.yaml", ["network kubectl", "read a.yaml", "!infrastructure:1:kubectl-apply"]],
  ["kubectl exec -it pod -- rm -rf /data", ["network kubectl", "remote pod: rm -rf /data"]],
  ["kubectl drain n1", ["network kubectl", "!infrastructure:2:kubectl-drain"]],
  ["kubectl get secret s -o yaml", ["network kubectl", "!credential-read:2:kubectl-secret"]],
  ["kubectl cp pod:/x y", ["network kubectl", "write y recursive"]],
  ["helm list", []],
  ["helm uninstall r", ["!infrastructure:2:helm-uninstall"]],
  ["helm template . --output-dir out", ["write out recursive"]],
  ["minikube status", []],
  ["kind delete cluster", ["!infrastructure:1:kind-delete"]],
  ["kind delete clusters --all", ["!infrastructure:2:kind-delete"]],
  ["kind get clusters", []],
]);

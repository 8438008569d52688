// Secret stores, key rings and keys: vault, 1Password, doppler, macOS security, gpg, pass, ssh-keygen.
// Invariant: showing a stored secret is a credential read, removing one is infrastructure; `run -- command` is followed.

import type { Arg, Emit, ToolFamily } from "../analyze/tool.js";
import { atHome, literal, parse, syntax } from "../spec/options.js";
import { all, cli, type Use } from "./commands.js";
import { asksHelp, isStream } from "./table.js";

const inner = ({ rest, given }: Use, emit: Emit) => {
  for (const text of given.values("command")) emit.shell(text, "run with secrets in its environment");
  for (const file of given.values("env-file")) emit.read(file, "secrets are taken from it", { how: "use" });
  if (rest.length) emit.run(rest, "run with secrets in its environment");
};

const vault = cli({
  names: "vault bao",
  reaches: "network",
  style: { oneDash: true },
  takes: "address= namespace= mount= field= format= version= versions= path= policy= ttl=",
  verbs: [
    ...all("infrastructure:3", ["secrets disable", "namespace delete", "kv metadata delete"]),
    { path: "lease revoke", needs: ["prefix"], hazard: "infrastructure:3" },
    ...all("infrastructure:2", [
      "auth disable",
      "kv destroy|delete|undelete|put|patch",
      "delete",
      "policy delete",
      "token revoke",
      "audit disable",
      "lease revoke",
      "operator raft remove-peer|join|snapshot",
      "operator seal|rekey|rotate|step-down|generate-root|init",
      "plugin deregister",
      "secrets move|tune",
      "revoke",
    ]),
    ...all("credential-read:2", ["read", "kv get", "print token", "unwrap", "token create"]),
    {
      path: "login",
      does: ({ call }, emit) =>
        emit.write(atHome(call, ".vault-token"), "vault login keeps the token", { how: "own-store" }),
    },
  ],
});

const stores = cli({
  names: "op doppler infisical teller berglas bw bws lpass dashlane dcli keeper akeyless",
  takes:
    "p|project= c|config= account= vault= env= e= env-file= path= o|out-file|output= format= fields= command= scope= token= folder= projectId=",
  verbs: [
    { path: "run", does: inner },
    ...all("infrastructure:2", [
      "* delete|remove|rm|archive|revoke",
      "delete|rm|remove",
      "secrets|configs|projects|environments delete",
      "connect server|token delete",
      "user suspend",
    ]),
    ...all(
      "credential-read:2",
      [
        "read|inject",
        "item|document get",
        "get|show|export|receive",
        "secrets",
        "secret get|list",
        "secrets get|download|substitute",
        "ssh-key get",
        "unlock",
      ],
      { does: saves },
    ),
    { path: "configs|projects|environments|vaults|accounts" },
  ],
});

function saves({ given }: Use, emit: Emit): void {
  for (const file of given.values("output")) if (!isStream(file)) emit.write(file, "the secret is written to it");
}

const security: ToolFamily = {
  names: [
    "security",
    "secret-tool",
    "keyring",
    "kwallet-query",
    "gnome-keyring",
    "cmdkey",
    "keychain",
    "keepassxc-cli",
    "kpcli",
  ],
  lower(call, emit) {
    const [verb] = call.args.filter((arg) => !arg.value?.startsWith("-"));
    const name = verb?.value ?? "";
    if (
      /^(find-certificate|list-keychains|default-keychain|show-keychain-info|find-identity|verify-cert|error|help|cms|login-keychain)$/.test(
        name,
      )
    )
      return;
    if (/^(delete|remove|clear|rm)/.test(name))
      return emit.hazard({ class: "infrastructure", level: 2, id: "keychain-delete" }, `${call.name} ${name}`);
    if (/^(add|set|store|import|unlock|create)/.test(name) && name !== "unlock-keychain")
      return emit.hazard({ class: "persistence", level: 1, id: "keychain-write" }, `${call.name} ${name}`);
    emit.hazard(
      {
        class: "credential-read",
        level: name === "dump-keychain" || /^(find-|get|lookup|search|show|export|clip)/.test(name) ? 3 : 2,
        id: "keychain-read",
      },
      `${call.name} ${name}`,
    );
  },
};

const passwords: ToolFamily = {
  names: ["pass", "gopass", "passage", "prs", "rbw"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const [verb] = call.args.filter((arg) => !arg.value?.startsWith("-"));
    if (/^(ls|list|find|search|git|version|help|init|generate|insert|edit|add|sync)$/.test(verb?.value ?? "ls")) return;
    if (/^(rm|remove|delete)$/.test(verb!.value!))
      return emit.hazard({ class: "infrastructure", level: 2, id: "password-delete" }, `${call.name} rm`);
    emit.hazard({ class: "credential-read", level: 2, id: "password-read" }, `${call.name} shows a password`);
  },
};

const gpg: ToolFamily = {
  names: ["gpg", "gpg2", "gpg1"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "o|output= r|recipient= u|local-user= homedir= passphrase= passphrase-file= keyserver= d|decrypt e|encrypt s|sign c|symmetric batch yes a|armor status-fd= logger-fd= default-key= pinentry-mode=",
      ),
    );
    for (const file of given.values("output")) if (!isStream(file)) emit.write(file, "gpg output");
    for (const file of given.values("passphrase-file")) emit.read(file, "gpg takes a password from it");
    if (given.has("export-secret-keys", "export-secret-subkeys", "export-secret-key"))
      return emit.hazard({ class: "credential-read", level: 3, id: "gpg-secret-keys" }, "gpg exports secret keys");
    if (given.has("delete-secret-keys", "delete-secret-key", "delete-keys", "delete-secret-and-public-key"))
      return emit.hazard({ class: "infrastructure", level: 2, id: "gpg-delete-key" }, "gpg deletes keys");
    if (given.has("recv-keys", "receive-keys", "send-keys", "refresh-keys", "search-keys"))
      emit.effect({ kind: "network", program: "gpg", reason: "gpg talks to a key server" });
    const names = given.has(
      "list-keys",
      "k",
      "list-secret-keys",
      "K",
      "fingerprint",
      "recv-keys",
      "receive-keys",
      "send-keys",
      "export",
      "edit-key",
      "gen-key",
      "search-keys",
      "version",
    );
    for (const file of names ? [] : given.operands) {
      emit.read(file, "gpg reads it");
      if (given.has("encrypt", "symmetric", "sign", "detach-sign", "b") && !given.has("output") && file.value)
        emit.write(
          literal(`${file.value}.${given.has("armor") ? "asc" : given.has("detach-sign", "b") ? "sig" : "gpg"}`),
          "gpg output",
        );
    }
  },
};

const sops: ToolFamily = {
  names: [
    "sops",
    "age",
    "rage",
    "ejson",
    "git-crypt",
    "transcrypt",
    "blackbox_cat",
    "blackbox_edit",
    "ansible-vault-view",
    "kubeseal",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax("o|output= i|in-place= r|recipient= R= identity= extract= input-type= output-type= d|decrypt e|encrypt p"),
    );
    const decrypts =
      given.has("decrypt") ||
      /^(decrypt|edit|exec-env|exec-file|unlock)$/.test(given.operands[0]?.value ?? "") ||
      /cat$|view$/.test(call.name);
    if (/^exec-(env|file)$/.test(given.operands[0]?.value ?? "") && given.operands[2])
      emit.shell(given.operands[2], "sops runs it with secrets");
    for (const file of given.values("output")) emit.write(file, `${call.name} output`);
    for (const file of given.operands.filter((word) => /[./]/.test(word.value ?? ""))) {
      emit.read(file, `${call.name} reads it`);
      if (call.args.some((arg) => arg.value === "-i" || arg.value === "--in-place"))
        emit.write(file, `${call.name} -i`);
    }
    if (decrypts)
      emit.hazard({ class: "credential-read", level: 2, id: `${call.name}-decrypt` }, `${call.name} decrypts secrets`);
  },
};

const sshKeys: ToolFamily = {
  names: ["ssh-keygen", "ssh-add", "ssh-copy-id"],
  lower(call, emit) {
    const given = parse(call.args, syntax("f= t= b= C= N= P= E= F= R= I= n= V= s= D= a= Y= O= z= M="));
    if (call.name === "ssh-copy-id")
      return emit.effect({
        kind: "network",
        program: call.name,
        host: given.operands[0]?.value,
        upload: true,
        reason: "installs a key on another machine",
        hazard: { class: "persistence", level: 2, id: "ssh-copy-id" },
      });
    if (call.name === "ssh-add") {
      for (const file of given.operands) emit.read(file, "ssh-add loads the key", { how: "use" });
      if (call.args.some((arg) => arg.value === "-D" || arg.value === "-d"))
        emit.hazard({ class: "persistence", level: 1, id: "ssh-add-delete" }, "ssh-add removes keys");
      return;
    }
    const flag = (letter: string) => call.args.some((arg) => new RegExp(`^-[a-zA-Z]*${letter}`).test(arg.value ?? ""));
    const file: Arg = given.value("f") ?? atHome(call, ".ssh/id_ed25519");
    if (flag("l") || flag("F") || flag("B")) return;
    if (flag("y")) return emit.read(file, "ssh-keygen -y reads the private key");
    if (flag("R")) return emit.write(given.value("f") ?? atHome(call, ".ssh/known_hosts"), "ssh-keygen -R");
    if (flag("A")) return emit.write(literal("/etc/ssh"), "ssh-keygen -A", { recursive: true });
    emit.write(file, "ssh-keygen makes a key");
    if (file.value !== undefined) emit.write(literal(`${file.value}.pub`), "ssh-keygen makes a key");
  },
};

/** Dotfile managers apply their copies over the home directory. */
const dotfiles = cli({
  names: "chezmoi yadm stow rcup homeshick",
  takes: "S|source= D|destination= c|config= o|output= d|dir= t|target=",
  verbs: [
    ...all("persistence:1", ["apply|update|init|re-add|add|edit|forget|merge|import|upgrade|chattr"], {
      does: (_use, emit) => emit.unknown("writes into the home directory"),
    }),
    ...all("mass-delete:2", ["destroy|purge|remove|rm"], {}),
    { path: "secret", hazard: "credential-read:2" },
    { path: "execute-template", does: (_use, emit) => emit.unknown("a template can run programs") },
  ],
  otherwise({ call }, emit) {
    if (call.name === "stow" || call.name === "rcup") emit.unknown(`${call.name} links files into place`);
  },
});

export const vaults = [vault, stores, security, passwords, gpg, sops, sshKeys, dotfiles];

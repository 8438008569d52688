// Package managers of the operating system.
// Invariant: searching and listing are quiet; installing changes the system mildly, removing more so.

import type { Hazard } from "../../model/effect.js";
import type { ToolFamily } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";
import { all, cli, type Verb } from "./commands.js";
import { asksHelp, executes } from "./table.js";

const install = (paths: string[]): Verb[] =>
  all("system:1", paths, {
    id: "system-install",
    does: ({ call }, emit) => {
      emit.effect({ kind: "network", program: call.name, reason: `${call.name} fetches packages` });
      executes(call, emit, `${call.name} installs`);
    },
  });
const remove = (paths: string[]): Verb[] =>
  all("system:2", paths, {
    id: "system-remove",
    does: ({ rest }, emit) => {
      if (rest.some((word) => essential.test(word.value ?? "")))
        emit.hazard(breaks, "removes what the system needs to run");
    },
  });
/** Without these the machine does not start, or nothing can be installed any more. */
const essential =
  /^(libc6?|glibc|musl|systemd|sudo|bash|dash|coreutils|util-linux|dpkg|apt|rpm|dnf|pacman|apk-tools|init|login|passwd|mount|e2fsprogs|grub.*|kernel|linux(-image.*|-lts)?|filesystem|base|base-files|base-passwd|python3-minimal|openssl|libssl.*)$/;
const breaks: Hazard = { class: "system", level: 3, id: "system-remove-essential" };
const dry = { unless: ["dry-run", "s", "simulate", "just-print", "no-act", "n", "assumeno"] };

const apt = cli({
  names:
    "apt apt-get aptitude apt-cache apt-key apt-mark add-apt-repository dnf dnf5 yum microdnf zypper apk xbps-install xbps-remove emerge eopkg urpmi tdnf pkg pkgin pkg_add port winget choco scoop snap flatpak nix-env guix",
  takes:
    "t= o|option= c= enablerepo= disablerepo= setopt= installroot= releasever= repo= X= r= p= t= id= source= version= channel= root=",
  verbs: [
    ...remove([
      "remove|purge|autoremove|autopurge|erase|uninstall|del|delete|rm|downgrade|unmerge|deinstall|history-undo",
    ]).map((verb) => ({ ...verb, ...dry })),
    ...install([
      "install|upgrade|dist-upgrade|full-upgrade|reinstall|build-dep|groupinstall|localinstall|add|in|up|dup|sync|refresh-install|swap",
    ]).map((verb) => ({ ...verb, ...dry })),
    {
      path: "update|refresh|makecache|check-update|check",
      does: ({ call }, emit) => emit.effect({ kind: "network", program: call.name, reason: `${call.name} update` }),
    },
    { path: "clean|autoclean|distclean" },
  ],
  otherwise({ call, given }, emit) {
    if (call.name === "add-apt-repository" || (call.name === "apt-key" && given.operands[0]?.value === "add"))
      emit.hazard({ class: "system", level: 2, id: "package-source" }, `${call.name} trusts another source`);
    if (
      /^(emerge|xbps-install|pkg_add|eopkg)$/.test(call.name) &&
      given.operands.length &&
      !given.has("pretend", "p", "search", "s")
    )
      emit.hazard({ class: "system", level: 1, id: "system-install" }, call.name);
    if (call.name === "nix-env" && given.has("e", "uninstall"))
      emit.hazard({ class: "system", level: 2, id: "system-remove" }, "nix-env -e");
  },
});

/** `-o APT::Update::Pre-Invoke::=command`: settings that run programs. */
const aptWithHooks: ToolFamily = {
  names: apt.names,
  lower(call, emit) {
    call.args.forEach((arg, at) => {
      const text = /^(?:-o|--option=)?[\w:-]*Invoke[\w:-]*=(.+)$/s.exec(arg.value ?? "")?.[1];
      if (text && (/^-/.test(arg.value!) || /^(-o|--option)$/.test(call.args[at - 1]?.value ?? "")))
        emit.shell(literal(text), `${call.name} runs it`);
    });
    apt.lower(call, emit);
  },
};

const brew = cli({
  names: "brew",
  takes: "appdir= formula cask",
  verbs: [
    { path: "uninstall|remove|rm|autoremove", hazard: "system:1", id: "brew-remove" },
    {
      path: "untap|tap|link|unlink|pin|unpin|switch|reinstall|install|upgrade|update|fetch|bundle",
      does: ({ call }, emit) => {
        emit.effect({ kind: "network", program: "brew", reason: "brew fetches packages" });
        executes(call, emit, "brew installs");
      },
    },
    { path: "services start|restart|run", hazard: "persistence:1" },
    { path: "services stop", hazard: "system:1" },
    {
      path: "cleanup|doctor|list|ls|info|search|outdated|deps|uses|leaves|config|home|desc|commands|services|cat|log|--prefix|--version",
    },
  ],
});

/** dpkg, rpm and pacman say what they do by option letters. */
const lowLevel: ToolFamily = {
  names: [
    "dpkg",
    "rpm",
    "pacman",
    "yay",
    "paru",
    "dpkg-reconfigure",
    "installer",
    "msiexec",
    "softwareupdate",
    "update-alternatives",
    "alternatives",
    "gdebi",
    "alien",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax("root= dbpath= b= config= pkg= target= e r P R i U F S q V h v l n c s u y k p f L a"),
    );
    const letters = call.args
      .map((arg) => arg.value ?? "")
      .filter((word) => /^-[a-zA-Z]+$/.test(word))
      .join("");
    const removes =
      (call.name === "dpkg" && (/[rP]/.test(letters.replace(/-R/g, "")) || given.has("remove", "purge"))) ||
      (call.name === "rpm" && (/e/.test(letters) || given.has("erase"))) ||
      (/^(pacman|yay|paru)$/.test(call.name) && (/R/.test(letters) || given.has("remove")));
    if (removes && given.operands.some((word) => essential.test(word.value ?? "")))
      return emit.hazard(breaks, `${call.name} removes what the system needs to run`);
    if (removes)
      return emit.hazard({ class: "system", level: 2, id: "system-remove" }, `${call.name} removes packages`);
    const adds =
      (call.name === "dpkg" && (/i/.test(letters) || given.has("install", "unpack", "configure"))) ||
      (call.name === "rpm" &&
        (/[iUF]/.test(letters.replace(/-q\w*/g, "")) || given.has("install", "upgrade", "import")) &&
        !/q/.test(letters)) ||
      (/^(pacman|yay|paru)$/.test(call.name) && /[SU]/.test(letters) && !/S[sigl]/.test(letters)) ||
      /^(installer|msiexec|softwareupdate|update-alternatives|alternatives|dpkg-reconfigure|gdebi)$/.test(call.name);
    const lists = given.has("list", "display", "query", "get-selections", "l", "list-names");
    if (adds && !lists)
      emit.hazard({ class: "system", level: 1, id: "system-install" }, `${call.name} installs packages`);
  },
};

export const systemPackages = [aptWithHooks, brew, lowLevel];

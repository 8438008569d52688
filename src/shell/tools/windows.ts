// Commands of the Windows shell that agents type on any machine, phone bridges, and settings of the desktop.
// Invariant: deletions keep their targets; options with a slash are no paths.
import { hazard } from "../../model/hazards.js";
import type { Emit } from "../analyze/tool.js";
import { type Code, commandLine, tools } from "../spec/interpret.js";
import { literal } from "../spec/options.js";

/** Drives, with and without a backslash. */
const drives = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => `${letter}:|${letter}:\\`).join("|");

/** Backslashes separate folders here; `~` is the home. */
const inHome = (word: string, emit: Emit): string =>
  /^~[\\/]/.test(word) ? `${emit.home ?? "~"}/${word.slice(2).replaceAll("\\", "/")}` : word;

const code: Code = {
  invoke: (_use, emit) =>
    emit.unknown("Invoke-Expression runs text nobody sees", { hazard: hazard("invoke-expression") }),
  /** `cmd /c "rd /s /q folder"`: a line of the Windows shell, whose commands have names of their own. */
  line({ call }, emit) {
    const at = call.args.findIndex((arg) => /^\/{1,2}[ck]$/i.test(arg.value ?? ""));
    const text = commandLine(call.args.slice(at + 1))?.value;
    if (at < 0 || text === undefined) return emit.unknown(`${call.name} runs a line that is not static`);
    for (const part of text.replace(/%USERPROFILE%/gi, "~").split(/\s*(?:&&?|\|\|?)\s*/)) {
      const words = (part.match(/"[^"]*"|\S+/g) ?? []).map((word) => literal(inHome(word.replace(/^"|"$/g, ""), emit)));
      const name = words[0]?.value?.toLowerCase() ?? "";
      const own = name === "rmdir" ? "rd" : name;
      if (/^(?:dir|type|ver|echo|set|where|cd|vol|path)$/.test(own)) continue;
      if (words.length) emit.run([literal(own), ...words.slice(1)], `${call.name} runs it`);
    }
  },
  task({ given }, emit) {
    for (const command of given.values("tr")) emit.shell(command, "a scheduled task runs it");
  },
  phone: ({ raw }, emit) => emit.remote(commandLine(raw), "android", "runs on the device"),
};

export const windowsAndDevices = tools(
  "windows",
  `
tool Invoke-Expression
  otherwise do invoke
tool Format-Volume
  style one-dash
  dry WhatIf|whatif
  otherwise !disk-cmdlet(format-volume)
tool Clear-Disk
  style one-dash
  dry WhatIf|whatif
  otherwise !disk-cmdlet(clear-disk)
tool Initialize-Disk
  style one-dash
  dry WhatIf|whatif
  otherwise !disk-cmdlet(initialize-disk)
tool Remove-Partition
  style one-dash
  dry WhatIf|whatif
  otherwise !disk-cmdlet(remove-partition)

tool cmd cmd.exe
  otherwise do line
tool del erase rd deltree
  style slash
  options s q f p a=? y ?
  --? : quiet
  --s or @deltree : delete rest tree
  otherwise delete rest
tool robocopy xcopy
  style slash
  options mir purge mov move e s z b copy=? copyall r=? w=? mt=? xd xf log=?write np nfl ndl njh njs xo xn xc a=? d=? y
    i k h c q v t n u f exclude=? dcopy=? sec zb j o x g tee eta fp bytes is it lev=? ipg=? ?
  dry l
  --? : quiet
  --mov|move : read 1 tree, write 2 tree, delete 1 tree
  --mir|purge : read 1 tree, write 2 tree, delete 2 tree
  otherwise read 1 tree, write 2 tree
# Only a drive makes it this program: other tools are called format too.
tool format
  style slash any-case
  options q fs=? v=? x p=? a=? u y
  ~${drives} : !format
  otherwise quiet
tool vssadmin wbadmin wmic
  style slash any-case
  options for=? all oldest shadow=? quiet on=? keepversions=? node=? user=? password=? format=? value output=?
    namespace=?
  ~delete or @vssadmin resize : !shadow-copies
  @wmic ~call : exec "calls a method, which may start a program"
  @wmic ~list|get : quiet
  list|get|query|create|start|stop|restore : quiet
  otherwise unknown
tool cipher
  style slash any-case
  options w=? e d c s=? a h u n x=? k r=? y b adduser removeuser
  --w : !cipher-wipe
  --e|d : write rest else . all "encrypts or decrypts it"
  otherwise quiet
tool schtasks
  style slash any-case
  options create delete query change run end showsid tn= tr= sc= mo= d= m= i= st= ri= et= du= sd= ed= it z f rl= ru= rp=
    s= u= p= xml= v fo= nh enable disable k np delay= hresult ec= v1 ?
  --create|change|run : !schtasks, do task
  --delete|end : !windows-settings({name}-delete)
  --query|showsid|? or #0 : quiet
  otherwise unknown
tool reg
  style slash any-case
  delete HKLM|HKCU|HKCR|HKLM\\*|HKCU\\SOFTWARE|HKLM\\SOFTWARE|HKLM\\SYSTEM : !registry-tree
  add|delete|import|restore|load|unload|copy|save : !windows-settings(registry-{1})
  query|export|compare|flags : quiet
  otherwise unknown
tool net
  style any-case
  user|localgroup|stop|start|share|use|group|accounts #1+ : !windows-settings(net-{1})
  user|localgroup|stop|start|share|use|group|accounts|view|statistics|time|session|file|config|helpmsg|computer : quiet
  otherwise unknown
tool icacls takeown
  style slash any-case
  options grant=? deny=? remove=? reset r t c l q f= a d= setowner save=? restore=? inheritance=? findsid=? verify
    setintegritylevel s= u= p= skipsl substitute
  --grant|deny|remove|reset|r|t|setowner|restore|inheritance|setintegritylevel or @takeown :
    !windows-permissions({name})
  --save : write --save
  otherwise quiet
tool sfc
  style slash
  options verifyonly verifyfile= scannow scanfile= offbootdir= offwindir= offlogfile=
  --verifyonly|verifyfile : quiet
  otherwise unknown
tool dism
  style slash
  --get-*|check* : quiet
  otherwise unknown

tool adb
  options s= t= H= P= L= a d e one-device=
  shell : do phone
  push : read others tree
  pull : write 2 else . tree
  install|install-multiple|install-multi-package : !phone-change({path}), read rest
  uninstall|reboot|root|unroot|remount|disable-verity|enable-verity|sideload|reboot-bootloader : !phone-change({path})
  devices|logcat|get-state|get-serialno|get-devpath|forward|reverse|start-server|kill-server|connect|disconnect|pair :
    quiet
  wait-for-*|bugreport|jdwp|tcpip|usb|features|mdns|emu|keygen|reconnect|host-features|track-devices|ppp|server-status :
    quiet
  exec-out : do phone
  otherwise unknown
tool fastboot
  options s= w slot= set-active=? skip-reboot disable-verity disable-verification force S= u
  erase|flash|format|oem|flashing|update|flashall|flash:raw|delete-logical-partition|wipe-super|set_active :
    !fastboot({path})
  --w : !fastboot
  devices|getvar|reboot|reboot-bootloader|continue|boot|fetch|gsi|snapshot-update|get_staged|stage : quiet
  otherwise unknown

# Preferences of macOS, GNOME and KDE.
tool defaults
  options g currentHost host= app=
  delete|delete-all --g : !preferences-remove-all
  delete|delete-all NSGlobalDomain #0 : !preferences-remove-all
  delete|delete-all : !preferences-remove
  write|import|rename : !preferences
  read|read-type|find|domains|export|help : quiet
  otherwise unknown
tool gsettings
  options schemadir=
  set|reset|reset-recursively : !preferences
  get|list-*|range|describe|writable|monitor|help : quiet
  otherwise unknown
tool dconf
  options d f
  write|reset|load|compile|update : !preferences
  read|list|dump|watch|blame|help|list-locks : quiet
  otherwise unknown
tool plutil
  style one-dash
  options o=write e= s r n lint p help convert= extract= replace= insert= remove= type= expect= xml= string= integer=
    bool= json= float= date= data= create= raw append
  --lint|p|help|extract|type : read rest
  --o : read rest
  --replace|insert|remove|convert|create : write last
  otherwise read rest
tool PlistBuddy
  options c= x h l
  --c=Set*|Add*|Delete*|Merge*|Import*|Clear*|Copy* : read rest, write rest
  otherwise read rest
tool pmset
  style one-dash
  options a b c u g=?
  --g : quiet
  otherwise !preferences
tool tccutil
  reset : !preferences-remove
  otherwise unknown
tool kwriteconfig5 kwriteconfig6
  options file= group= key= type= delete notify
  --delete : !preferences-remove
  otherwise !preferences
`,
  code,
);

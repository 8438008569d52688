// What PowerShell does beside its plain commands: cmdlets that are a danger by name, objects of .NET, downloads.
// Invariant: a method call that is not known to make text or numbers only leaves the program unknown.
import { type Hazard, hazard } from "../../model/hazards.js";
import type { Emit } from "../analyze/tool.js";
import { literal } from "../spec/options.js";
import { wordSet } from "../word-set.js";

/** PowerShell words that bring text from elsewhere. */
export const downloadWords =
  /\b(irm|iwr|invoke-restmethod|invoke-webrequest|downloadstring|downloadfile|curl|wget|start-bitstransfer)\b/i;

/** `[Type]::Method(`, `$x.Method(`: but for those that only make text or numbers. */
const plainTypes =
  "string|math|int|char|datetime|timespan|guid|regex|version|convert|" + "(?:system\\.)?io\\.path|environment";
const plainMethods =
  "ToString|Replace|Split|Trim\\w*|Substring|ToUpper|ToLower|StartsWith|EndsWith|Contains|IndexOf|Format|" +
  "PadLeft|PadRight|Where|ForEach|Count|Matches|Add\\w+|Equals|GetType|Join";
const methods = new RegExp(
  `\\[(?!(?:${plainTypes})\\])[\\w.]+\\]::\\w+\\(|[\\w)\\]]\\.(?!(?:${plainMethods})\\()\\w+\\(`,
  "i",
);

/** Cmdlets that change services, tasks, policies, the registry and accounts. */
const changesSystem = wordSet(`register-scheduledtask new-service set-service stop-service remove-service
  set-executionpolicy set-itemproperty remove-itemproperty new-itemproperty disable-scheduledtask
  new-localuser add-localgroupmember`);
const cloudPrefixes = "az|ec2|s3|rds|iam|cfn|ddb|gc|vm|sql|dba|adu|adg|ado|mg|eks|ecs|lm";
const removesCloud = new RegExp(`^(?:remove|uninstall|clear|reset|disable)-((?:${cloudPrefixes})\\w*)$`);

export function grave(cmdlet: string): Hazard | undefined {
  if (/^(format-volume|clear-disk|initialize-disk|remove-partition|reset-physicaldisk)$/.test(cmdlet))
    return hazard("powershell-disk", cmdlet);
  if (/^(set-mppreference|disable-netfirewallrule|set-netfirewallprofile|disable-computerrestore)$/.test(cmdlet))
    return hazard("powershell-security", cmdlet);
  if (changesSystem.has(cmdlet))
    return hazard(/^(register|new-s)/.test(cmdlet) ? "powershell-autostart" : "powershell-system", cmdlet);
  if (cmdlet === "clear-recyclebin") return hazard("powershell-trash", cmdlet);
  const removed = removesCloud.exec(cmdlet)?.[1];
  if (!removed) return undefined;
  const whole = /resourcegroup|bucket|dbinstance|vm$|database|subscription|cluster|stack|table/.test(removed);
  return hazard(whole ? "powershell-remove-whole" : "powershell-remove", cmdlet);
}

/** [IO.File]::Delete("x"), .DownloadFile(url, "x"), [ScriptBlock]::Create(text). */
export function throughObjects(text: string, emit: Emit): void {
  if (methods.test(text)) emit.unknown("PowerShell calls methods of objects");
  const quotedPath = String.raw`\(\s*(?:'([^']*)'|"([^"]*)")`;
  const home = (path: string) =>
    literal(path.replaceAll("\\", "/").replace(/^(~|\$(?:env:)?(?:home|userprofile))(?=\/|$)/i, emit.home ?? "~"));
  const call = new RegExp(String.raw`\[(?:System\.)?IO\.(File|Directory)\]::(\w+)${quotedPath}`, "gi");
  for (const [, kind, method, single, double] of text.matchAll(call)) {
    const path = home(single ?? double ?? "");
    if (/^delete$/i.test(method!)) emit.delete(path, "[IO]::Delete", /^d/i.test(kind!) ? { recursive: true } : {});
    else if (/^(write|append|create)/i.test(method!)) emit.write(path, `[IO.${kind}]::${method}`);
    else if (/^(read|open)/i.test(method!)) emit.read(path, `[IO.${kind}]::${method}`);
  }
  if (/\[scriptblock\]::create/i.test(text))
    emit.unknown("PowerShell makes a script of text", {
      ...(downloadWords.test(text) && { hazard: hazard("download-and-run") }),
    });
  if (/\bnew-object\s+(system\.)?net\.webclient/i.test(text))
    emit.effect({
      kind: "network",
      program: "WebClient",
      reason: "Net.WebClient",
      ...(/\.upload/i.test(text) && { upload: true }),
    });
}

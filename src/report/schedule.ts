// Entries that run a report every day: launchd, a systemd timer, or a line of crontab.
import { join } from "node:path";
import { shellQuote } from "../model/shell-quote.js";

export const schedulers = ["launchd", "systemd", "cron"] as const;
export type Scheduler = (typeof schedulers)[number];

export interface ScheduleFile {
  path: string;
  text: string;
}

export interface Schedule {
  files: ScheduleFile[];
  /** What a person does next. */
  nextSteps: string[];
}

export interface ScheduledCommand {
  /** Program and arguments, absolute. */
  command: readonly string[];
  /** PATH of now: schedulers have a short one, in which the summary's program or git may be missing. */
  path: string;
  hour: number;
  minute: number;
  home: string;
  configHome: string;
  log: string;
}

export function scheduleFor(kind: Scheduler, entry: ScheduledCommand): Schedule {
  if (kind === "launchd") return launchd(entry);
  return kind === "systemd" ? systemd(entry) : cron(entry);
}

const label = "dev.interlock.daily-report";
const xml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

function launchd({ command, path: programs, hour, minute, home, log }: ScheduledCommand): Schedule {
  const path = join(home, "Library", "LaunchAgents", `${label}.plist`);
  const words = command.map((word) => `    <string>${xml(word)}</string>`).join("\n");
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>${xml(programs)}</string>
  </dict>
  <key>StartCalendarInterval</key>
  <dict>
    <key>Hour</key>
    <integer>${hour}</integer>
    <key>Minute</key>
    <integer>${minute}</integer>
  </dict>
  <key>StandardOutPath</key>
  <string>${xml(log)}</string>
  <key>StandardErrorPath</key>
  <string>${xml(log)}</string>
</dict>
</plist>
`;
  return { files: [{ path, text }], nextSteps: [`launchctl load -w ${shellQuote(path)}`] };
}

function systemd({ command, path, hour, minute, configHome, log }: ScheduledCommand): Schedule {
  const folder = join(configHome, "systemd", "user");
  // systemd expands % and $ in ExecStart, and knows double quotes.
  const word = (text: string) => `"${text.replace(/[\\"]/g, "\\$&").replace(/%/g, "%%").replace(/\$/g, "$$$$")}"`;
  const service = `[Unit]
Description=Daily report

[Service]
Type=oneshot
Environment="PATH=${path.replace(/[\\"]/g, "\\$&").replace(/%/g, "%%")}"
ExecStart=${command.map(word).join(" ")}
StandardOutput=append:${log.replace(/%/g, "%%")}
StandardError=append:${log.replace(/%/g, "%%")}
`;
  const timer = `[Unit]
Description=Daily report

[Timer]
OnCalendar=*-*-* ${two(hour)}:${two(minute)}:00
Persistent=true

[Install]
WantedBy=timers.target
`;
  return {
    files: [
      { path: join(folder, "interlock-daily-report.service"), text: service },
      { path: join(folder, "interlock-daily-report.timer"), text: timer },
    ],
    nextSteps: ["systemctl --user daemon-reload", "systemctl --user enable --now interlock-daily-report.timer"],
  };
}

/** crontab has no file to write: the line is added by `crontab -e`. */
function cron({ command, path, hour, minute, log }: ScheduledCommand): Schedule {
  // A percent sign ends the command in a crontab.
  const words = ["env", `PATH=${path}`, ...command]
    .map((word) => shellQuote(word))
    .join(" ")
    .replace(/%/g, "\\%");
  const line = `${minute} ${hour} * * * ${words} >> ${shellQuote(log).replace(/%/g, "\\%")} 2>&1`;
  return { files: [], nextSteps: [`Add this line with "crontab -e":`, line] };
}

const two = (n: number): string => String(n).padStart(2, "0");

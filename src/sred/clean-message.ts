// A commit message file as git will store it: without comments and without what stands below the scissors line.
const scissors = "------------------------ >8 ------------------------";

export function cleanMessage(text: string, comment = "#"): string {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const mark = comment === "auto" ? "[#;@!$%^&|:]" : comment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const cut = new RegExp(`^${mark} ${scissors.replace(/[>]/g, "\\>")}$`);
  const at = lines.findIndex((line) => cut.test(line));
  // With `auto` git chose a character that begins no line of the message: the one its own hints begin with.
  const own = comment === "auto" ? (/^([#;@!$%^&|:]) /m.exec(text)?.[1] ?? "#") : comment;
  return (at < 0 ? lines : lines.slice(0, at))
    .filter((line) => !line.startsWith(own))
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
}

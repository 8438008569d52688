// Progress of long trace work, on standard error and only for a terminal.
export const lineProgress =
  (what: string) =>
  (done: number, total: number): void => {
    if (!process.stderr.isTTY || total < 200 || done % 50) return;
    process.stderr.write(`\r${done} of ${total} ${what}${done + 50 >= total ? "\r\u001b[K" : ""}`);
  };

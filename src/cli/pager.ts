// Long output on a terminal is shown by the user's pager ($PAGER, or less). It receives the text piece by piece, and
// the command stops when the reader has seen enough.

import { childEnvironment } from "./child-environment.ts";
import { ClosedOutput, write } from "./output.ts";

/**
 * Writes a piece of text; resolves when the next one may be written. Throws ClosedOutput when the reader has stopped.
 */
export type WriteText = (text: string) => Promise<void>;

/** Runs `produce`, whose text goes to stdout or, on a terminal that is too small for it, through the pager. */
export async function paged(produce: (write: WriteText) => Promise<void>): Promise<void> {
  const command = pagerCommand();
  if (!process.stdout.isTTY || command === undefined) return produce(write);
  const rows = process.stdout.rows || 24;
  let waiting = "";
  let pager: Pager | undefined;
  try {
    await produce(async (text) => {
      if (pager) return pager.write(text);
      waiting += text;
      if (waiting.split("\n").length < rows) return;
      pager = startPager(command);
      await pager.write(waiting);
    });
    if (!pager) await write(waiting);
  } catch (error) {
    if (!(error instanceof ClosedOutput)) throw error;
  } finally {
    await pager?.finish();
  }
}

function pagerCommand(): string | undefined {
  const { PAGER, TERM } = process.env;
  if (PAGER !== undefined) return PAGER.trim() === "" || PAGER.trim() === "cat" ? undefined : PAGER;
  return TERM !== "dumb" && Bun.which("less") ? "less" : undefined;
}

interface Pager {
  write: WriteText;
  /** Resolves when the reader has closed the pager. */
  finish(): Promise<void>;
}

function startPager(command: string): Pager {
  const child = Bun.spawn(process.platform === "win32" ? [command] : ["sh", "-c", command], {
    stdin: "pipe",
    stdout: "inherit",
    stderr: "inherit",
    // F: not for a single screen, R: shows colours, X: leaves the text on the screen.
    env: { LESS: "FRX", ...childEnvironment() },
  });
  // Ctrl-C belongs to the pager.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  let hasExited = false;
  child.exited.then(() => {
    hasExited = true;
  });
  return {
    async write(text) {
      if (hasExited) throw new ClosedOutput();
      try {
        child.stdin.write(text);
        await Promise.race([child.stdin.flush(), child.exited]);
      } catch (error) {
        throw new ClosedOutput("the pager was closed", { cause: error });
      }
    },
    async finish() {
      try {
        await child.stdin.end();
      } catch {
        // The pager was closed before it had read everything.
      }
      await child.exited;
      process.off("SIGINT", ignore);
    },
  };
}

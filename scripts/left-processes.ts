// Processes that belong to a run of the tests: its folder is in their environment or arguments. Linux only: other
// systems do not show the environment of a process in a file, and there nothing is found.

import { existsSync, readdirSync, readFileSync } from "node:fs";

interface LeftProcess {
  pid: number;
  /** Its arguments, at most 200 characters. */
  command: string;
}

/** How long they may take to end by themselves. */
const GRACE_MS = 5_000;
const POLL_MS = 100;

/** Waits until no process of a run is left, and kills those that still are. Returns them. */
export async function endLeftProcesses(folder: string): Promise<LeftProcess[]> {
  const left = await stillRunning(folder);
  for (const { pid } of left) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
  await stillRunning(folder);
  return left;
}

/** The processes of a run that are there after GRACE_MS. Returns sooner if there are none. */
async function stillRunning(folder: string): Promise<LeftProcess[]> {
  const deadline = performance.now() + GRACE_MS;
  for (;;) {
    const running = processesOf(folder);
    if (running.length === 0 || performance.now() > deadline) return running;
    await Bun.sleep(POLL_MS);
  }
}

function processesOf(folder: string): LeftProcess[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const [environment, command] = ["environ", "cmdline"].map((file) => textOf(`/proc/${name}/${file}`));
      const isOfRun = environment!.includes(folder) || command!.includes(folder);
      return isOfRun
        ? [{ pid: Number(name), command: command!.replaceAll("\0", " ").trim().slice(0, 200) }]
        : [];
    });
}

/** The text of a file; "" if the process has ended or belongs to another user. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

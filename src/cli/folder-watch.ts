// Watches the remembered folders for `serve --watch`: for each user who has any, a process runs `ctxrepo import
// --watch`, so that reading files never delays a request.

import { parse, resolve } from "node:path";
import type { App } from "../app.ts";
import { findUser } from "../auth/users.ts";
import { usersWithFolders } from "../features/console/folders/store.ts";
import { systemClock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import { childEnvironment } from "./child-environment.ts";
import { programCommand } from "./program-command.ts";

/**
 * How often users who have remembered their first folder are looked for, and processes that ended are started again.
 */
const LOOK_MS = 2_000;
/** A process that failed is started again after this time. */
const RESTART_MS = 30_000;
/** A process has this time to finish its files. What it stores is complete in any case. */
const STOP_MS = 1_000;
/** A longer line of a process is cut. */
const MAX_LINE_UNITS = 2_000;

interface Watching {
  child?: Pick<Bun.Subprocess, "kill" | "exited">;
  endedAt: number;
}

/** Starts watching. Returns a function that ends it and resolves when the processes have ended. */
export function watchFolders({ store, settings, log }: App): () => Promise<void> {
  const users = new Map<string, Watching>();
  let isStopped = false;

  const start = (userId: string, email: string) => {
    const watching: Watching = { endedAt: 0 };
    users.set(userId, watching);
    const args = ["import", "--watch", "--data-dir", resolve(settings.dataDir), "--user", email];
    const child = Bun.spawn([...programCommand(), ...args], {
      stdio: ["ignore", "ignore", "pipe"],
      // Not a folder whose files the runtime would read, and one that stays.
      cwd: parse(process.execPath).root,
      env: childEnvironment(),
      // The process ends when this channel closes, however this one ends.
      ipc() {},
    });
    watching.child = child;
    void forwardLines(child.stderr, (message) => log.info("watched folders", { user: email, message }));
    void child.exited.then((code) => {
      watching.child = undefined;
      watching.endedAt = systemClock.monotonic();
      if (!isStopped)
        log.warn("the watch of folders has ended and will be started again", { user: email, code });
    });
  };

  const look = () => {
    for (const userId of usersWithFolders(store)) {
      const { child, endedAt } = users.get(userId) ?? { endedAt: Number.NEGATIVE_INFINITY };
      const user = findUser(store, userId);
      if (child || !user || systemClock.monotonic() - endedAt < RESTART_MS) continue;
      try {
        start(userId, user.email);
      } catch (error) {
        log.warn("folders cannot be watched", { reason: messageOf(error) });
      }
    }
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return async () => {
    isStopped = true;
    clearInterval(timer);
    const children = [...users.values()].flatMap(({ child }) => child ?? []);
    const ended = Promise.all(children.map(({ exited }) => exited));
    for (const child of children) child.kill("SIGTERM");
    await Promise.race([ended, Bun.sleep(STOP_MS)]);
    for (const child of children) child.kill("SIGKILL");
    await ended;
  };
}

/** Calls `take` with each line of a stream. */
async function forwardLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of stream) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop()!.slice(0, MAX_LINE_UNITS);
    for (const line of lines) take(line.slice(0, MAX_LINE_UNITS));
  }
  if (rest !== "") take(rest);
}

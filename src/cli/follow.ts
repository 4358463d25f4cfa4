// serve --follow: every minute a process of its own runs `ctxrepo pull`, so that reading the other server's answers
// never delays a request. Where both sides have changed, the other one wins, and its deletions are followed.

import { parse, resolve } from "node:path";
import type { App } from "../app.ts";
import { systemClock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import { childEnvironment } from "./child-environment.ts";
import { programCommand } from "./program-command.ts";

/** The time between the end of a pull and the start of the next one. */
const PERIOD_MS = 60_000;
/** A pull that is running when the server stops has this time; what it has stored is complete in any case. */
const STOP_MS = 1_000;
/** What is logged of the messages of a pull. */
const MAX_MESSAGE_UNITS = 2_000;

/** Starts following. Returns a function that ends it and resolves when the process has ended. */
export function startFollowing({ settings, log, following }: App): () => Promise<void> {
  const ending = new AbortController();
  let child: Pick<Bun.Subprocess, "kill" | "exited"> | undefined;

  const pull = async (): Promise<void> => {
    const options = ["--follow", "--theirs", "--delete", "--data-dir", resolve(settings.dataDir)];
    const started = Bun.spawn([...programCommand(), "pull", following!.remote, ...options], {
      stdio: ["ignore", "ignore", "pipe"],
      // Not a folder whose files the runtime would read, and one that stays.
      cwd: parse(process.execPath).root,
      env: childEnvironment(),
      // The process ends when this channel closes, however this one ends.
      ipc() {},
    });
    child = started;
    const [output, code] = await Promise.all([new Response(started.stderr).text(), started.exited]);
    child = undefined;
    if (ending.signal.aborted) return;
    following!.hasFailed = code !== 0;
    const facts = { remote: following!.remote, output: output.trim().slice(-MAX_MESSAGE_UNITS) };
    if (code === 0) {
      following!.pulledAt = systemClock.now();
      log.info("pulled", facts);
    } else log.warn("the pull from the followed server has failed and will be tried again", facts);
  };

  const follow = async () => {
    while (!ending.signal.aborted) {
      try {
        await pull();
        await systemClock.sleep(PERIOD_MS, ending.signal);
      } catch (error) {
        if (ending.signal.aborted) return;
        log.warn("the followed server cannot be pulled", { reason: messageOf(error) });
        await systemClock.sleep(PERIOD_MS, ending.signal).catch(() => {});
      }
    }
  };
  const followed = follow();
  return async () => {
    ending.abort();
    child?.kill("SIGTERM");
    await Promise.race([followed, Bun.sleep(STOP_MS)]);
    child?.kill("SIGKILL");
    await followed;
  };
}

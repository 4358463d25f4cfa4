// ctxrepo serve: starts the server, prints a line when it accepts requests, and stops it gracefully.

import { Command, Option } from "commander";
import { type App, openApp, warmUp } from "../app.ts";
import { createKey } from "../auth/keys.ts";
import { ensureUser, findUserByEmail, hasUsers, LOCAL_OWNER } from "../auth/users.ts";
import { flagOf, readSettings, SETTINGS, type Settings, variableOf } from "../base/config.ts";
import { cannotOpen, databasePath } from "../db/open.ts";
import { storageProblemOf } from "../db/storage-errors.ts";
import type { Store } from "../db/store.ts";
import { findRemote } from "../features/console/remotes/store.ts";
import { startJobs } from "../job-handlers.ts";
import { systemClock } from "../kernel/clock.ts";
import { badRequest, Failure, messageOf } from "../kernel/errors.ts";
import { rebuildFile } from "../maintenance/rebuild.ts";
import { serve } from "../server.ts";
import { writeAddress } from "./address-file.ts";
import { answerLocalCall, callLocal, findProcess } from "./local-calls.ts";
import { print, printMessage } from "./output.ts";

/** Maximum time that requests in flight have to finish after the signal to stop. */
const GRACE_MS = 1_500;
/** The process ends at the latest this long after the signal. */
const MAX_STOP_MS = 2_700;
/** How long to wait for a process that holds the lock and does not listen: it may be ending. */
const MAX_LOCK_WAIT_MS = 3_000;
/** How long to wait for a command that gives the data directory to this server. */
const MAX_TAKE_OVER_MS = 60_000;
const POLL_MS = 20;

export function serveCommand(): Command {
  const command = new Command("serve").description("start the server");
  for (const setting of SETTINGS) {
    const flag = setting.value ? `${flagOf(setting)} <${setting.value}>` : flagOf(setting);
    const meaning = `${setting.meaning.replaceAll("`", "")} (${variableOf(setting)}, default ${setting.default.replaceAll("`", "")})`;
    const option = new Option(flag, meaning);
    if (setting.choices) option.argChoices = [...setting.choices];
    if (setting.repeatable) option.argParser((value: string, before: string[] = []) => [...before, value]);
    command.addOption(option);
  }
  return command.action(start);
}

async function start(flags: Partial<Record<keyof Settings, string | boolean | string[]>>): Promise<void> {
  const settings = readSettings(flags, process.env);
  let app = await openWhenFree(settings);
  await requireFollowed(app);
  let stop: Promise<"stop"> | undefined;
  for (let isRepaired = false; ; isRepaired = true) {
    const server = await open(app);
    warmUp(app);
    startJobs(app);
    const removeAddress = publishAddress(app, server.localUrl);
    // Before the line is printed, because its reader may send a signal immediately.
    stop ??= stopSignal();
    if (!isRepaired) print(`ctxrepo listening on ${server.url}`);
    const endWatch = settings.watch ? (await import("./folder-watch.ts")).watchFolders(app) : undefined;
    const endFollowing = app.following ? (await import("./follow.ts")).startFollowing(app) : undefined;
    void app.storage.check();
    const gone = app.storage.directoryGone.then(() => "gone" as const);
    const damaged = isRepaired ? [] : [app.storage.indexDamaged.then(() => "damaged" as const)];
    const reason = await Promise.race([stop, gone, ...damaged]);
    if (reason !== "damaged") endAfter(MAX_STOP_MS, app, reason === "stop" ? 0 : 1);
    // First, so that no command finds a server that is about to end.
    removeAddress();
    // Jobs stop while requests finish.
    await Promise.all([endWatch?.(), endFollowing?.(), server.stop(GRACE_MS), app.jobs.stop()]);
    await app.close();
    if (reason === "stop") return;
    if (reason === "gone")
      throw new Failure(
        "unavailable",
        `the data directory ${settings.dataDir} is gone, so the server has ended`,
      );
    app = await reopenWithoutIndex({ ...settings, port: server.port });
  }
}

/** Throws `bad-request` if the server that is to be followed is not known. */
async function requireFollowed(app: App): Promise<void> {
  const { follow } = app.settings;
  if (follow === null) return;
  const owner = findUserByEmail(app.store, LOCAL_OWNER);
  if (owner && findRemote(app.store, owner.id, follow)) return;
  await app.close();
  throw badRequest({
    path: "--follow",
    message: `no remote is called ${follow}: ctxrepo remote add adds it`,
  });
}

/** Binds the address; on the first start, prints a key. */
async function open(app: App): Promise<ReturnType<typeof serve>> {
  const secret = app.credentials.localSecret;
  try {
    const calls = { check: () => {}, backup: app.saveSnapshot };
    const server = serve(app, (request, target) => answerLocalCall(request, target, { secret, calls }));
    await welcome(app.store, server.url);
    return server;
  } catch (error) {
    await app.close();
    throw storageProblemOf(error)
      ? cannotOpen(databasePath(app.settings.dataDir), error)
      : bindFailure(app.settings, error);
  }
}

/** Ends the process after `maxMs`, whatever still runs: it is stored as under way, and done again at the next start. */
function endAfter(maxMs: number, { log }: App, exitCode: 0 | 1): void {
  const end = () => {
    log.warn("some work did not end in time: it is done again at the next start");
    process.exit(exitCode);
  };
  setTimeout(end, maxMs).unref();
}

/**
 * Opens the app with an empty index that is built again from the records. If these cannot be copied out of the damaged
 * file, opens it as it is.
 */
async function reopenWithoutIndex(settings: Settings): Promise<App> {
  let records = 0;
  let failure: unknown;
  try {
    records = rebuildFile(settings.dataDir);
  } catch (error) {
    failure = error;
  }
  const app = await openWhenFree(settings);
  if (failure) app.log.error("the damaged search index cannot be removed", { reason: messageOf(failure) });
  else app.log.warn("the search index was damaged: it is built again from the records", { records });
  return app;
}

/**
 * Opens the app as soon as the lock is free. Takes over from a command that holds it. Throws `conflict` at once if a
 * server holds it, and after a while if an unknown process does.
 */
async function openWhenFree(settings: Settings): Promise<App> {
  const startedAt = systemClock.monotonic();
  let maxWaitMs = MAX_LOCK_WAIT_MS;
  for (;;) {
    try {
      return openApp(settings);
    } catch (error) {
      const isLocked = error instanceof Failure && error.kind === "conflict";
      if (!isLocked || systemClock.monotonic() - startedAt > maxWaitMs) throw error;
      const holder = await findProcess(settings.dataDir);
      if (holder?.isServer) throw error;
      if (holder && (await callLocal(holder, "take-over"))) maxWaitMs = MAX_TAKE_OVER_MS;
      await systemClock.sleep(POLL_MS);
    }
  }
}

/** Lets commands find this server. Returns a function that ends this. */
function publishAddress({ settings, credentials, log }: App, url: string): () => void {
  try {
    return writeAddress(settings.dataDir, { url, secret: credentials.localSecret, isServer: true });
  } catch (error) {
    log.warn("commands cannot find this server", { reason: messageOf(error) });
    return () => {};
  }
}

/** On the first start: creates the local owner and one key, and prints the key with a request to paste. */
async function welcome(store: Store, url: string): Promise<void> {
  if (hasUsers(store)) return;
  const { key } = await store.writeWhenFree((write) =>
    createKey(write, ensureUser(write, LOCAL_OWNER), {
      name: "first start",
      scopes: ["prompts.write", "documents.write"],
    }),
  );
  printMessage(`Welcome. In another terminal:

  ctxrepo import ~/notes                     stores your files
  ctxrepo ask 'What did I decide?'           answers from them
  ctxrepo open                               opens the console in the browser
  ctxrepo setup claude-code                  connects an agent

Programs use this API key. It is not shown again:

  ${key}

For example:

  curl ${url}/v1/documents -H 'Authorization: API-Key ${key}' -H 'Content-Type: application/json' \\
    -d '{"title": "First note", "content": "The kettle whistles when the water boils."}'
`);
}

/** Resolves with "stop" at the first SIGINT or SIGTERM; the second exits the process immediately. */
function stopSignal(): Promise<"stop"> {
  return new Promise((resolve) => {
    let received = false;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (received) process.exit(130);
        received = true;
        resolve("stop");
      });
    }
  });
}

function bindFailure({ host, port }: Settings, error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code === "EADDRINUSE") {
    return new Failure("unavailable", `port ${port} is in use (choose another with --port)`, {
      cause: error,
    });
  }
  return new Failure("unavailable", `cannot listen on ${host}:${port}: ${String(error)}`, {
    cause: error,
  });
}

// A server with clients, whose storage fails for a while: what all parts of the group disk have in common.

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type ChildOptions, type ChildServer, createKey, startChild } from "../bench/child-server.ts";
import { brokenRules, collectFacts, type Facts, missingFacts } from "./facts.ts";
import { type MixedWrites, mixedWrites } from "./mixed-writes.ts";
import { FETCHES_LOOPBACK, servePages } from "./pages.ts";
import { findUnsearchable, resolveOutcomes, untilIndexed } from "./settled.ts";
import type { Check, Torture } from "./torture.ts";
import { type Send, sendTo } from "./writer.ts";

interface HealthBody {
  database: string;
  problems?: string[];
  jobs: { queued: number; running: number; failed: number };
}

export interface Outage extends MixedWrites {
  dataDir: string;
  facts: Facts;
  send: Send;
  server(): ChildServer;
  /** Starts the server, also again; the options replace those before. */
  start(options?: ChildOptions): Promise<ChildServer>;
  /** Every client sends so many requests, and goes on if one fails. */
  write(requestsEach: number): Promise<void>;
  health(): Promise<HealthBody>;
  /**
   * Resolves all outcomes when the storage works again, waits for the jobs, searches for every document, stops the
   * server and reads the whole file. Yields the checks that all kinds of outage have in common.
   */
  recovered(name: string): AsyncGenerator<Check>;
}

/** Creates a data directory in a folder, with a key, and starts nothing. */
export async function openOutage(torture: Torture, folder: string): Promise<Outage> {
  const dataDir = join(folder, "data");
  let position = 0;
  const facts = collectFacts(() => ++position);
  const mixed = mixedWrites({ facts, seed: torture.seed, pagesUrl: await servePages(torture) });
  const key = await createKey(torture, dataDir);
  const address = { url: "" };
  const send = sendTo(address, key);
  let current: ChildServer | undefined;
  const server = () => {
    if (!current) throw new Error("no server was started");
    return current;
  };
  const outage: Outage = {
    ...mixed,
    dataDir,
    facts,
    send,
    server,
    async start(options = {}) {
      const flags = [...FETCHES_LOOPBACK, ...(options.flags ?? [])];
      current = await startChild(torture, dataDir, { ...options, flags });
      address.url = current.url;
      return current;
    },
    async write(requestsEach) {
      await Promise.all(
        mixed.writers.map(async (writer) => {
          for (let n = 0; n < requestsEach; n++) await writer.step(send);
        }),
      );
    },
    health: async () => (await (await fetch(`${address.url}/health`)).json()) as HealthBody,
    async *recovered(name) {
      const unresolved = await resolveOutcomes(mixed.writers, send);
      await untilIndexed(server()).catch((error) => {
        torture.note(`${name}: jobs that do not end: ${JSON.stringify(jobsIn(dataDir))}`);
        throw error;
      });
      const { jobs } = await outage.health();
      const unsearchable = await findUnsearchable(send, mixed.searchable);
      await server().stop();
      const database = new Database(join(dataDir, "ctxrepo.db"), { readonly: true });
      const lost = [...missingFacts(database, facts.at()), ...mixed.shared.wrong];
      const broken = brokenRules(database, { isThorough: true });
      database.close();
      for (const text of [...lost, ...broken, ...unsearchable].slice(0, 10)) torture.note(`${name}: ${text}`);
      yield {
        check: `${name}: acknowledged writes lost`,
        value: lost.length,
        unit: `of ${facts.size}`,
        atMost: 0,
      };
      yield { check: `${name}: partial effects`, value: broken.length, unit: "", atMost: 0 };
      yield { check: `${name}: outcomes that stay unknown`, value: unresolved, unit: "", atMost: 0 };
      yield { check: `${name}: jobs that stay running`, value: jobs.running, unit: "", atMost: 0 };
      const unit = `of ${mixed.searchable.size}`;
      yield { check: `${name}: documents that are not found`, value: unsearchable.length, unit, atMost: 0 };
    },
  };
  return outage;
}

/** Some of the jobs that wait or run. */
function jobsIn(dataDir: string): unknown[] {
  const database = new Database(join(dataDir, "ctxrepo.db"), { readonly: true });
  const jobs = database.query("SELECT * FROM jobs LIMIT 10").all();
  database.close();
  return jobs;
}

/** The result of a start that may fail: its exit code and what it printed, or the server. */
export async function tryStart(
  outage: Outage,
  options: ChildOptions,
): Promise<{ server: ChildServer } | { message: string; code: number | null }> {
  let code: number | null = null;
  try {
    const spawned: ChildOptions["spawned"] = (child) => void child.exited.then((exit) => (code = exit));
    return { server: await outage.start({ ...options, spawned }) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error), code };
  }
}

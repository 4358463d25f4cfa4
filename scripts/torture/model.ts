// Model-based tests: random requests through the HTTP edge, each reply compared with a small model of the
// specification.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import fc from "fast-check";
import { ManualClock } from "../../src/kernel/clock.ts";
import { type Started, startServer } from "../../test/helpers/start.ts";
import type { World } from "./model/exchange.ts";
import { noRecords } from "./model/records.ts";
import { type Step, STEPS, take } from "./model/steps.ts";
import type { Check, Torture } from "./torture.ts";

const LONG_RUNS = 1_000;
const COMMANDS = 60;
const MEMORY = "/dev/shm";

/** Opens a world of its own in a server: two credentials of a new user, one of another new user, and no records. */
export function openWorld(started: Started, clock: ManualClock, name: string): World {
  const [owner, other] = [`owner-${name}@model.example`, `other-${name}@model.example`];
  return {
    records: noRecords(),
    clients: [started.clientOf(owner), started.clientOf(owner), started.clientOf(other)],
    clock,
    settle: started.settle,
    receipts: new Map(),
    seen: new Map(),
    keyed: [],
  };
}

const fields = { content: "# Tea\n\nwater", description: "salt" };
const [by, into, tags] = [0 as const, [], ["a"]];
/**
 * What every run starts with, so that the first random steps find records: some of each kind, one document coordinated.
 */
export const FIRST_STEPS: readonly Step[] = [
  { do: "createCollection", by, body: { name: "first", tags } },
  { do: "createCollection", by, body: { name: "second", isPublic: true }, parent: 0 },
  { do: "createDocument", by, body: { title: "Tea", ...fields, tags }, into: [0] },
  { do: "createDocument", by, body: { title: "Kettle", ...fields }, into },
  { do: "createPrompt", by, body: { title: "Bread", ...fields, isPublic: true }, into: [1] },
  { do: "setPolicy", by, document: 0, on: true, match: "current" },
  { do: "createSession", by, ttl: 86_400 },
];

/** A step as a command of fast-check. Every step can be taken in every state. */
class Command implements fc.AsyncCommand<object, World> {
  constructor(
    readonly step: Step,
    readonly onTaken: (step: Step) => void,
  ) {}
  check = () => true;
  async run(_model: object, world: World): Promise<void> {
    this.onTaken(this.step);
    await take(world, this.step);
  }
  toString = () => JSON.stringify(this.step);
}

export async function* model(
  torture: Torture,
  { runs = torture.repetitions(LONG_RUNS), commands = COMMANDS } = {},
): AsyncGenerator<Check> {
  // Durability is not the subject: where the system has a folder in memory, writes do not wait for the disk.
  const inMemory = existsSync(MEMORY);
  const folder = inMemory ? mkdtempSync(`${MEMORY}/ctxrepo-model-`) : torture.folder();
  const clock = new ManualClock();
  const started = startServer({ clock, dataDir: folder });
  const taken = new Map<string, number>();
  const count = (step: Step) => taken.set(step.do, (taken.get(step.do) ?? 0) + 1);
  const seen = new Map<string, number>();
  let opened = 0;
  const startedAt = performance.now();
  try {
    const property = fc.asyncProperty(
      fc.commands(
        STEPS.map((steps) => steps.map((step) => new Command(step, count))),
        // Lengths are spread evenly between 0 and the maximum.
        { maxCommands: 2 * commands, size: "max", disableReplayLog: true },
      ),
      async (list) => {
        opened++;
        if (opened % 100 === 0) torture.note(`model: ${opened} runs`);
        const world = { ...openWorld(started, clock, String(opened)), seen };
        for (const step of FIRST_STEPS) await take(world, step);
        await fc.asyncModelRun(() => ({ model: {}, real: world }), list);
      },
    );
    const result = await fc.check(property, { numRuns: runs, seed: torture.seed });
    const steps = [...taken.values()].reduce((sum, times) => sum + times, 0);
    if (result.failed) {
      torture.note(`model: ${result.counterexample?.[0]}`);
      torture.note(`model: ${result.errorInstance}`);
      const errors = started.log.filter((line) => line.includes('"level":"error"'));
      if (errors.length > 0) torture.note(`model: ${errors.slice(-3).join("\n")}`);
    }
    yield { check: "runs", value: result.numRuns, unit: "runs", atLeast: result.failed ? undefined : runs };
    yield { check: "steps taken", value: steps, unit: "steps" };
    yield { check: "steps of each kind, the fewest", value: Math.min(...taken.values()), unit: "steps" };
    yield { check: "kinds of replies, by operation, status and reason", value: seen.size, unit: "kinds" };
    yield { check: "kinds of steps", value: taken.size, unit: "kinds" };
    yield { check: "counterexamples", value: result.failed ? 1 : 0, unit: "", atMost: 0 };
    const failed = (await started.client("GET", "/health")).body.jobs.failed;
    yield { check: "failed jobs", value: failed, unit: "jobs", atMost: 0 };
    yield { check: "time", value: (performance.now() - startedAt) / 1000, unit: "s" };
  } finally {
    await started.stop();
    if (inMemory) rmSync(folder, { recursive: true });
  }
}

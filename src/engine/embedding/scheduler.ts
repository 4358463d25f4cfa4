// Scheduler of the embedding worker: queries before indexing, one step of one job at a time. A job is an async
// generator; at every `yield` another job can run.

import { Failure } from "../../kernel/errors.ts";

/** A step should take less than about 60 ms: the maximum wait of a query before its own first step. */
export type Job<Result> = AsyncGenerator<void, Result, void>;

/** Urgent jobs run round-robin, step by step; patient jobs run one after another in the remaining time. */
export type Lane = "urgent" | "patient";

export interface Scheduler {
  /**
   * Queues a job; resolves with its result. `cost` counts against the lane's capacity until the job has ended.
   * Rejects with Failure("unavailable") if the lane is full.
   */
  add<Result>(lane: Lane, cost: number, job: Job<Result>): Promise<Result>;
  /** Waits for the current step, rejects every job with Failure("unavailable") and accepts no more. */
  stop(): Promise<void>;
}

interface Waiting {
  /** Runs one step; true if the job has ended, by result or failure. */
  step(): Promise<boolean>;
  reject(failure: Failure): void;
}

/** After this many consecutive urgent steps a patient job gets one, so that indexing does not starve. */
const MAX_URGENT_STEPS = 64;

/** `capacity` is the maximum total cost of the jobs in each lane. */
export function createScheduler(capacity: Record<Lane, number>): Scheduler {
  const lanes: Record<Lane, Waiting[]> = { urgent: [], patient: [] };
  const held: Record<Lane, number> = { urgent: 0, patient: 0 };
  let urgentSteps = 0;
  let working: Promise<void> | undefined;
  let stopped = false;

  const nextLane = (): Lane | undefined => {
    if (stopped) return undefined;
    const patientIsDue = urgentSteps >= MAX_URGENT_STEPS && lanes.patient.length > 0;
    if (lanes.urgent.length > 0 && !patientIsDue) return "urgent";
    return lanes.patient.length > 0 ? "patient" : undefined;
  };

  const work = async () => {
    for (let lane = nextLane(); lane; lane = nextLane()) {
      urgentSteps = lane === "urgent" ? urgentSteps + 1 : 0;
      const job = lanes[lane].shift()!;
      const hasEnded = await job.step();
      if (!hasEnded && lane === "urgent") lanes.urgent.push(job);
      if (!hasEnded && lane === "patient") lanes.patient.unshift(job);
      await messagesDelivered();
    }
    working = undefined;
  };

  return {
    add: (lane, cost, job) =>
      new Promise((resolve, reject) => {
        if (held[lane] + cost > capacity[lane]) {
          return reject(new Failure("unavailable", "too much text is waiting to be embedded"));
        }
        if (stopped) return reject(new Failure("unavailable", "the embedding worker is stopping"));
        held[lane] += cost;
        const step = async () => {
          try {
            const { done, value } = await job.next();
            if (!done) return false;
            held[lane] -= cost;
            resolve(value);
          } catch (error) {
            held[lane] -= cost;
            reject(error);
          }
          return true;
        };
        lanes[lane].push({ step, reject });
        working ??= work();
      }),
    async stop() {
      stopped = true;
      await working;
      for (const { reject } of [...lanes.urgent, ...lanes.patient]) {
        reject(new Failure("unavailable", "the embedding worker is stopping"));
      }
      lanes.urgent = [];
      lanes.patient = [];
    },
  };
}

/** A run of the model blocks its thread: messages that arrived in the meantime are delivered before the next choice. */
function messagesDelivered(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

// Who works next in the embedding thread: queries before indexing, always one step of one job at a time. It knows neither
// model nor messages; a job is an async generator, and every `yield` in it is a place where others may go first.

import { Failure } from "../../kernel/errors.ts";

/** A step should stay under about 60 ms: that is what a query waits at most before its own first step. */
export type Job<Result> = AsyncGenerator<void, Result, void>;

/** Urgent jobs take turns, step by step; patient ones run one after another in what time is left. */
export type Lane = "urgent" | "patient";

export interface Scheduler {
  /**
   * Queues a job and answers with its result. `cost` counts against the lane's bound until the job has ended.
   * Rejects with Failure("unavailable") when the lane is full.
   */
  add<Result>(lane: Lane, cost: number, job: Job<Result>): Promise<Result>;
  /** Lets the step that runs end, rejects every job with Failure("unavailable") and takes no more. */
  stop(): Promise<void>;
}

interface Waiting {
  /** Runs one step; true when the job has ended, well or badly. */
  step(): Promise<boolean>;
  reject(failure: Failure): void;
}

/** After this many urgent steps in a row a patient job gets one, so that indexing cannot be starved for ever. */
const URGENT_STEPS_IN_A_ROW = 64;

/** `capacity` bounds the sum of the costs of the jobs that a lane holds. */
export function createScheduler(capacity: Record<Lane, number>): Scheduler {
  const lanes: Record<Lane, Waiting[]> = { urgent: [], patient: [] };
  const held: Record<Lane, number> = { urgent: 0, patient: 0 };
  let urgentSteps = 0;
  let working: Promise<void> | undefined;
  let stopped = false;

  const nextLane = (): Lane | undefined => {
    if (stopped) return undefined;
    const patientIsDue = urgentSteps >= URGENT_STEPS_IN_A_ROW && lanes.patient.length > 0;
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
        if (stopped) return reject(new Failure("unavailable", "the embedding thread is stopping"));
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
        reject(new Failure("unavailable", "the embedding thread is stopping"));
      }
      lanes.urgent = [];
      lanes.patient = [];
    },
  };
}

/** A run of the model blocks its thread; what arrived meanwhile must be heard before the next choice. */
function messagesDelivered(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

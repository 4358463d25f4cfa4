// The API of the answering worker: everything between evidence and answer except embedding. It must not know storage.

import type { SupervisedWorker } from "../../workers/supervisor.ts";
import { type AnsweringApi, openQuestions } from "./open-questions.ts";

export type { AnsweringApi };

/** The worker as its callers use it. */
export type AnsweringWorker = Pick<SupervisedWorker<AnsweringApi>, "call">;

/** The functions of the worker; see WorkerApi. */
export async function serveAnswering(): Promise<AnsweringApi> {
  return openQuestions();
}

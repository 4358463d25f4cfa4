// The API of the answering worker: the slow part of an answer, which reads all of the evidence. It must not know storage.

import type { SupervisedWorker } from "../../workers/supervisor.ts";
import { type Prepared, prepare } from "./answer.ts";
import type { Evidence } from "./units.ts";

export type AnsweringApi = {
  prepare(input: { question: string; evidence: readonly Evidence[]; near: readonly string[] }): Prepared;
};

/** The worker as its callers hold it. */
export type AnsweringWorker = Pick<SupervisedWorker<AnsweringApi>, "call">;

/** The functions of the worker; see WorkerApi. */
export async function serveAnswering(): Promise<AnsweringApi> {
  return { prepare: ({ question, evidence, near }) => prepare(question, evidence, near) };
}

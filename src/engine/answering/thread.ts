// What the answering thread offers: the slow part of an answer, which reads all of the evidence. It knows no storage.

import { type Prepared, prepare } from "./answer.ts";
import type { Evidence } from "./units.ts";

/** The functions of the answering thread; see ThreadApi. */
export async function serveAnswering(): Promise<{
  prepare(input: { question: string; evidence: readonly Evidence[]; near: readonly string[] }): Prepared;
}> {
  return { prepare: ({ question, evidence, near }) => prepare(question, evidence, near) };
}

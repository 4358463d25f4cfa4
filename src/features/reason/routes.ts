// The operation that answers questions from documents: path, shapes, scope, statuses.

import { operationOf } from "../../http/operation.ts";
import { dataOf } from "../../http/response-shapes.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { answerShape, answerToWire, reasonBody } from "./contract.ts";
import { pendingOf } from "../chunks/pending.ts";
import { placeOf } from "../chunks/place.ts";
import { type Citation, type ReasonDeps, reason } from "./reason.ts";

const { defaultLimit, defaultTokens } = LIMITS.reason;

const operation = operationOf<ReasonDeps>();

/** The operations of this feature. */
export const reasonOperations = [
  operation({
    name: "reason.answer",
    method: "POST",
    path: "/v1/reason",
    summary: "Answer a question from documents, with citations",
    description:
      "Quotes sentences from the caller's documents, each with its chunk, and reports what the documents do not answer and where they " +
      "contradict each other. Nothing is stored. With an unknown `documentId` or `collectionId` there is nothing to answer from.",
    requires: { anyOf: ["documents.read"] },
    queue: "answer",
    body: reasonBody,
    responses: { 200: dataOf(answerShape) },
    handle: async ({ caller, body, disconnected }, deps) => {
      const { limit = defaultLimit, maxTokens = defaultTokens, ...rest } = body;
      const startedAt = deps.clock.monotonic();
      const answer = await reason(deps, caller.userId, {
        ...rest,
        limit,
        maxTokens,
        cancelled: disconnected,
      });
      const latencyMs = Math.round(deps.clock.monotonic() - startedAt);
      const about = {
        latencyMs,
        pending: pendingOf(deps.store, caller),
        placeOf: (citation: Citation) => placeOf(deps.store, citation),
      };
      return {
        status: 200,
        body: { data: answerToWire(answer, about) },
        noted: { kind: "question", text: body.query, count: answer.gaps.length },
      };
    },
  }),
];

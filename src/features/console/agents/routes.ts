// Operations of /console/api: what agents have done.

import { displayName, hasScope } from "../../../auth/identity.ts";
import type { Store } from "../../../db/store.ts";
import { operationOf } from "../../../http/operation.ts";
import { notFound } from "../../../kernel/errors.ts";
import type { ActivityLog } from "../../../kernel/noted.ts";
import { common, dismissBody, happenedQuery } from "../contract.ts";
import type { Happened } from "../replies.ts";
import { NO_ACTIVITY_LOG } from "./log.ts";
import { dismissQuestion, openQuestions, summarize } from "./store.ts";

/** What these operations need. */
export interface AgentsDeps {
  store: Store;
  activityLog: ActivityLog;
}

const declare = operationOf<AgentsDeps>();

export const agentsApi = [
  declare({
    ...common,
    name: "console.agents.happened",
    method: "GET",
    path: "/console/api/happened",
    summary: "Report what each agent has done, and what it has not found",
    requires: { anyOf: ["documents.read", "prompts.read"] },
    query: happenedQuery,
    handle({ caller, query: { since = "" } }, { store, activityLog }) {
      const documents = hasScope(caller, "documents.read");
      const data: Happened = {
        agents: summarize(store, {
          userId: caller.userId,
          userName: displayName(caller),
          since,
          documents,
          prompts: hasScope(caller, "prompts.read"),
        }),
        questions: documents ? openQuestions(store, caller.userId) : [],
        isLogged: activityLog !== NO_ACTIVITY_LOG,
      };
      return { status: 200, body: { data } };
    },
  }),
  declare({
    ...common,
    name: "console.questions.dismiss",
    method: "POST",
    path: "/console/api/questions/dismiss",
    summary: "Forget what agents have asked with this text",
    requires: { anyOf: ["documents.write"] },
    body: dismissBody,
    handle: ({ caller, body, commit }) =>
      commit((write) => {
        if (!dismissQuestion(write, caller.userId, body.text)) throw notFound("question");
        return { status: 200, body: { success: true } };
      }),
  }),
];

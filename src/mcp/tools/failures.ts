// What an agent should do after a failed call. The failures are those of the API; only the advice is added here.

import type { Tool, ToolFailure } from "./tool.ts";

/** Advice by the spec's reason names. */
const BY_REASON: Readonly<Record<string, string>> = {
  REVISION_MISMATCH:
    "The document has changed. Read it again with get_document, merge your change into it, and send its revision as expectedRevision",
  LEASE_CONFLICT:
    "If you hold the lease, send it as lease. Otherwise somebody else holds it, or yours has ended: wait some seconds, " +
    "read the document again with get_document, then repeat the call without lease",
  FENCE_MISMATCH:
    "Somebody else has held the lease since. Read the document again with get_document, then repeat the call without lease",
  PRECONDITION_REQUIRED:
    "Edits of this document require its revision: read it with get_document, and send its revision as expectedRevision",
  DOCUMENT_NOT_COORDINATABLE: "The document is still being fetched. Try again in 10 seconds",
  IDEMPOTENCY_KEY_REUSED: "Send the call again as a new request",
  REFRESH_IN_PROGRESS: "Wait 10 seconds, then read it with get_document",
  REFRESH_SUPERSEDED: "It was edited during the fetch. Read it with get_document, then repeat if needed",
};

/** How to find a record that does not exist, by what the message says is missing. */
const BY_RECORD: readonly [RegExp, string][] = [
  [/^document/, "Find its id with find_items"],
  [/^prompt/, "Find its id with find_items"],
  [/^collection/, "Find its id with find_items and type collections"],
  [/^chunk/, "The document was changed or deleted since. Search again with deep_search"],
  [/session/, 'The session has ended. Send sessionId "new" to start another'],
  [/version/, "List the versions again and use one of their ids"],
];

/** Failures whose messages speak of headers of the API, which agents cannot send; the advice says everything. */
const SAID_BY_ADVICE: ReadonlySet<string> = new Set(["REVISION_MISMATCH", "FENCE_MISMATCH"]);

/** What failed and what to do next, as an agent reads it. Advice names only the tools that the client has. */
export function failureText(failure: ToolFailure, tool: Tool, available: readonly Tool[]): string {
  const { message, reason = "" } = failure;
  const advice = possible(adviceFor(failure, tool), available);
  if (SAID_BY_ADVICE.has(reason)) return `${reason}: ${advice}`;
  if (advice === "") return message;
  // A list of candidates ends with a line of its own.
  return message.includes("\n") ? `${message}\n${advice}` : `${message}. ${advice}`;
}

/** The sentences that name no tool that is missing. */
function possible(advice: string, available: readonly Tool[]): string {
  const names = new Set(available.map(({ name }) => name));
  const sentences = advice.split(/(?<=\.) /);
  return sentences
    .filter((sentence) => (sentence.match(TOOL_NAME) ?? []).every((name) => names.has(name)))
    .join(" ");
}

const TOOL_NAME = /\b[a-z]+(?:_[a-z]+)+\b/g;
const IS_ID = /^\w*id: /i;

/** What to do next, as sentences; empty if the message says it. */
function adviceFor({ status, message, reason, retryAfterS }: ToolFailure, tool: Tool): string {
  if (reason !== undefined && BY_REASON[reason]) return `${BY_REASON[reason]}.`;
  switch (status) {
    case 400:
      if (message.startsWith("chunkId:")) return "deep_search returns chunkIds.";
      return IS_ID.test(message) ? "Ids are shown in the results of searches and lists." : "";
    case 403:
      return "This credential must not do this. Tell the user; do not retry.";
    case 404: {
      const advice = BY_RECORD.find(([pattern]) => pattern.test(message))?.[1];
      return advice ? `${advice}.` : "Search for it with find_items.";
    }
    case 409:
      return tool.name === "delete_collection"
        ? "List its items with get_collection and remove them with remove_from_collection first."
        : "Wait a moment, then try again.";
    case 413:
      return "Send less, for example in several documents.";
    case 429:
      return `Wait ${retryAfterS ?? "60"} seconds, then repeat the call.`;
    case 500:
      return "Try again once. The server's log contains the cause.";
    default:
      return "";
  }
}

// The tool that lists what was created or changed lately.

import { LIMITS } from "../../kernel/limits.ts";
import { fittingCount } from "./budget.ts";
import { stateFact } from "./document-heading.ts";
import { bold, countOf, facts, moment, oneLine, paragraphs } from "./markdown.ts";
import { listLimit, maxTokens, text } from "./shapes.ts";
import { type Tool, ToolFailure } from "./tool.ts";

const DEFAULT_SINCE = "7d";
/** Without a visit that is known, the default counts. */
const LAST_VISIT = /^last[ _-]?visit$/i;
const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  w: 7 * 24 * 60 * MINUTE_MS,
};

export const recentChanges: Tool = {
  name: "recent_changes",
  title: "List recent changes",
  description:
    "List documents and prompts that were created or changed, the last first, with who and why. Use it to learn what is new " +
    "since you last looked.",
  arguments: {
    since: text(`such as 12h, 3d, 2026-01-31T09:00Z, or "last visit"; default ${DEFAULT_SINCE}`),
    limit: listLimit,
    maxTokens,
  },
  required: [],
  behaviour: { readOnly: true, idempotent: true },
  operation: "documents.list",
  async handle({
    arguments: { since = DEFAULT_SINCE, limit = LIMITS.list.defaultLimit },
    room,
    run,
    clock,
    ...call
  }) {
    if (limit < 1 || limit > LIMITS.list.maxLimit) {
      throw new ToolFailure(400, `limit: must be 1 to ${LIMITS.list.maxLimit}`);
    }
    const now = clock.now();
    const asksLastVisit = LAST_VISIT.test(since.trim());
    const from =
      (asksLastVisit ? call.endOfLastVisit() : undefined) ??
      timeOf(asksLastVisit ? DEFAULT_SINCE : since, now);
    // Only counts the call.
    await run({ query: { limit: 1 } });
    // One more shows whether there are others.
    const changed = call.changedSince(from, limit + 1);
    const items = changed
      .slice(0, limit)
      .map(({ type, id, title, status, isNew, changedAt, by, agent, changeLog }) => {
        const place = type === "document" ? call.placeOf(id) : undefined;
        return `- ${bold(title)}${facts(
          `${type}Id: ${id}`,
          place?.path ?? place?.url,
          isNew ? "new" : "changed",
          moment(changedAt),
          stateFact(status),
          by !== null && `by ${oneLine(by)}${agent === null ? "" : ` with ${oneLine(agent)}`}`,
          changeLog !== null && `"${oneLine(changeLog)}"`,
        )}`;
      });
    const count = fittingCount(items, room);
    const last = changed[count - 1];
    return {
      text: paragraphs(
        items.length > 0 ? items.slice(0, count).join("\n") : `Nothing has changed since ${moment(from)}.`,
        changed.length > count && last !== undefined
          ? `[There are earlier changes, before ${moment(last.changedAt)}: send a higher limit or maxTokens.]`
          : items.length > 0 && `${countOf(count, "change")} since ${moment(from)}, no more.`,
      ),
    };
  },
};

/** A point in time, or a duration before now, as epoch ms. Throws ToolFailure (400) for another text. */
function timeOf(since: string, now: number): number {
  const [, amount, unit = ""] = /^(\d{1,4}) ?([mhdw])[a-z]*$/i.exec(since.trim()) ?? [];
  const ms = UNITS[unit.toLowerCase()];
  const time = amount !== undefined && ms !== undefined ? now - Number(amount) * ms : Date.parse(since);
  if (Number.isNaN(time)) {
    throw new ToolFailure(
      400,
      `since: got "${oneLine(since, 60)}"; send a duration or a time, such as 3d or 2026-01-31`,
    );
  }
  return time;
}

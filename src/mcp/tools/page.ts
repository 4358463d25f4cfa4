// Pages of lists: as many items as fit into a result, and how to get the next ones.

import type { OperationCall, OperationResult } from "../calls.ts";
import { fittingCount } from "./budget.ts";
import { countOf, paragraphs } from "./markdown.ts";

interface Listing {
  call: OperationCall;
  /** Sends the request; it is repeated with a lower limit if the items are too long for one result. */
  run(call: OperationCall): Promise<OperationResult>;
  /** One item as Markdown. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the operation's items
  toText(row: any): string;
  /** What the items are, in the singular. */
  noun: string;
  /** What to do if the list is empty. */
  whenEmpty: string;
  /** The call that continues the list, in words. */
  repeat: string;
  /** Characters of the page. */
  room: number;
}

/** One page as Markdown. */
export async function pageText({
  call,
  run,
  toText,
  noun,
  whenEmpty,
  repeat,
  room,
}: Listing): Promise<string> {
  let { body } = await run(call);
  let items: string[] = body.data.map(toText);
  const fitting = fittingCount(items, room);
  if (fitting < items.length) {
    ({ body } = await run({ ...call, query: { ...call.query, limit: fitting } }));
    items = body.data.map(toText);
  }
  const { hasMore, cursor } = body.pagination;
  if (items.length === 0) return whenEmpty;
  return paragraphs(
    items.join("\n"),
    hasMore
      ? `${countOf(items.length, noun)}; there are more. Continue: ${repeat} with cursor "${cursor}".`
      : `${countOf(items.length, noun)}, no more.`,
  );
}

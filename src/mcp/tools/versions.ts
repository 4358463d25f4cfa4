// The list of versions, which documents and prompts have in common.

import type { OperationResult } from "../calls.ts";
import { bold, facts, moment, oneLine } from "./markdown.ts";
import { pageText } from "./page.ts";

const PREVIEW_CHARACTERS = 80;

interface Versions {
  run(call: { id: string; query: Record<string, string | number | undefined> }): Promise<OperationResult>;
  id: string;
  limit: number;
  cursor: string | undefined;
  room: number;
  noun: "document" | "prompt";
}

/** A page of the versions of a document or prompt. */
export function versionsText({ run, id, limit, cursor, room, noun }: Versions): Promise<string> {
  return pageText({
    call: { query: { limit, cursor } },
    run: ({ query }) => run({ id, query: { limit: Number(query?.limit), cursor } }),
    toText: (row) => {
      const title = `- ${bold(`Version ${row.version}`)}${facts(
        `versionId: ${row.id}`,
        moment(row.createdAt),
        row.userName && oneLine(row.userName),
        (row.agent ?? row.actor?.agent) && oneLine(row.agent ?? row.actor.agent),
        row.changeLog && `"${oneLine(row.changeLog)}"`,
      )}`;
      return row.preview ? `${title}\n  ${oneLine(row.preview, PREVIEW_CHARACTERS)}` : title;
    },
    noun: "version",
    whenEmpty: "There are no versions.",
    repeat: `get_${noun}_versions`,
    room,
  });
}

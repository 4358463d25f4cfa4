// The list of versions and their numbers, which documents and prompts have in common.

import { LIMITS } from "../../kernel/limits.ts";
import type { OperationResult } from "../calls.ts";
import { bold, facts, moment, oneLine } from "./markdown.ts";
import { pageText } from "./page.ts";
import type { ToolCall } from "./tool.ts";

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

const MAX_PAGES = 20;

interface Named {
  also: ToolCall["also"];
  /** The operation that lists the versions. */
  list: "documents.versions" | "prompts.versions";
  id: string;
  /** The id of a version, or its number. */
  version: string;
}

/** The id of a version. A number that is not found is returned as it is, and the operation rejects it. */
export async function versionIdOf({ also, list, id, version }: Named): Promise<string> {
  const [, number] = /^(?:version )?(\d{1,9})$/i.exec(version.trim()) ?? [];
  if (number === undefined) return version;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, pagination } = (await also(list, { id, query: { limit: LIMITS.list.maxLimit, cursor } }))
      .body;
    const found = data.find((row: { version: number }) => row.version === Number(number));
    if (found) return found.id;
    if (!pagination.hasMore) break;
    cursor = pagination.cursor;
  }
  return version;
}

// What the three tools that delete a record have in common.

import { FLAG, TEXT } from "./shapes.ts";
import { type ToolCall, ToolFailure, type ToolResult } from "./tool.ts";

/** The data of these tools. */
export const DELETED = { id: TEXT, deleted: FLAG, reason: TEXT };

/** Deletes a record. One that does not exist is no failure: a repeated call must not look like one. */
export async function deleteRecord(
  { run }: ToolCall,
  { id, noun }: { id: string; noun: string },
): Promise<ToolResult> {
  try {
    await run({ id });
  } catch (error) {
    if (!(error instanceof ToolFailure && error.status === 404)) throw error;
    return {
      text: `There is no ${noun} ${id}: it was deleted before, or the id is wrong. Nothing was changed.`,
      data: { id, deleted: false, reason: "not found" },
    };
  }
  return { text: `Deleted ${noun} ${id}.`, data: { id, deleted: true } };
}

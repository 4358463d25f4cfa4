// The table of labels on versions of prompts.

import { and, asc, count, eq } from "drizzle-orm";
import { promptLabels } from "../../../db/label-table.ts";
import type { TableReader, Write } from "../../../db/store.ts";

const isLabel = (promptId: string, label: string) =>
  and(eq(promptLabels.promptId, promptId), eq(promptLabels.label, label));

/** The labels of a version, by name. */
export function labelsOf({ tables }: TableReader, versionId: string): string[] {
  return tables
    .select({ label: promptLabels.label })
    .from(promptLabels)
    .where(eq(promptLabels.versionId, versionId))
    .orderBy(asc(promptLabels.label))
    .all()
    .map(({ label }) => label);
}

/** The id of the version of a prompt that has a label, or undefined. */
export function findLabelled({ tables }: TableReader, promptId: string, label: string): string | undefined {
  return tables
    .select({ versionId: promptLabels.versionId })
    .from(promptLabels)
    .where(isLabel(promptId, label))
    .get()?.versionId;
}

/** Puts a label on a version of a prompt, off the version that had it. */
export function putLabel({ tables }: Write, row: typeof promptLabels.$inferInsert): void {
  const { promptId, label } = promptLabels;
  tables
    .insert(promptLabels)
    .values(row)
    .onConflictDoUpdate({ target: [promptId, label], set: { versionId: row.versionId } })
    .run();
}

/** Takes a label off. Returns whether a version had it. */
export function deleteLabel({ tables }: Write, promptId: string, label: string): boolean {
  return (
    tables.delete(promptLabels).where(isLabel(promptId, label)).returning({ label: promptLabels.label }).all()
      .length > 0
  );
}

/** The number of labels of a prompt. */
export function countLabels({ tables }: TableReader, promptId: string): number {
  const own = eq(promptLabels.promptId, promptId);
  return tables.select({ n: count() }).from(promptLabels).where(own).get()?.n ?? 0;
}

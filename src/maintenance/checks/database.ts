// Checks of the database: whose it is, damaged pages, the search index compared with the records, failed jobs.

import type { Database } from "bun:sqlite";
import { assetPath } from "../../base/assets.ts";
import { newestSchema } from "../../db/migrate.ts";
import { reasonOf } from "../../db/open.ts";
import type { ReadHandle } from "../../db/store.ts";
import type { Calibration } from "../../engine/embedding/calibration.ts";
import { listFailedJobs } from "../../jobs/queue.ts";
import { Failure, messageOf } from "../../kernel/errors.ts";
import type { IndexProblem, IndexProblemKind } from "../../retrieval/generations/index-problems.ts";
import { readContents } from "../contents.ts";
import type { MaintenanceWorker } from "../worker.ts";
import { type Check, fail, ok, warn } from "./check.ts";

type Worker = Pick<MaintenanceWorker, "call">;

const RESTORE = "stop the server, and restore a backup: ctxrepo restore FILE";
const REINDEX = "ctxrepo reindex";

/** Whether the file is a database of this program and of a schema that it knows. */
export function checkFile(database: Database, path: string): Check {
  const name = "file";
  try {
    const { schema, documents, prompts, collections } = readContents(database);
    const detail = `${path}: ${documents} documents, ${prompts} prompts, ${collections} collections, schema ${schema}`;
    if (schema < newestSchema(assetPath("migrations"))) {
      return warn(name, detail, "start the server: it updates the schema (make a backup before)");
    }
    return ok(name, detail);
  } catch (error) {
    const detail = `${path}: ${error instanceof Failure ? error.message : reasonOf(error)}`;
    return fail(name, detail, RESTORE);
  }
}

/** Whether SQLite finds damage, and whether it is only in the search index. */
export async function checkIntegrity(worker: Worker, path: string): Promise<Check> {
  const name = "integrity";
  const [problem, ...others] = await worker.call
    .integrity({ path })
    .catch((error: unknown) => [messageOf(error)]);
  if (problem === undefined) return ok(name, "all pages, tables and indexes are intact");
  const detail = others.length === 0 ? problem : `${problem} (and ${others.length} more)`;
  const damage = await worker.call.damage({ path }).catch(() => undefined);
  if (!damage || damage.records.length > 0) return fail(name, detail, RESTORE);
  if (damage.index.length > 0) {
    const fix = `stop the server, and rebuild the index from the records: ${REINDEX}`;
    return fail(name, `only the search index is damaged: ${detail}`, fix);
  }
  const fix = "no table is damaged: make a backup, which leaves the damage out, and restore it";
  return fail(name, detail, fix);
}

/**
 * What is compared: the kind of problem, the name of the check, its result without problems, and what to do about
 * problems.
 */
const COMPARED: readonly [IndexProblemKind, name: string, good: string, fix: string][] = [
  ["unindexed", "index", "every document and prompt is indexed or waits to be", REINDEX],
  ["orphans", "orphans", "all index rows belong to a document", REINDEX],
  ["vectors", "vectors", "every chunk that the model can read has a vector", REINDEX],
  [
    "words",
    "words",
    "words are found where SQLite finds them",
    `${REINDEX}; if it does not help, report this`,
  ],
];

/** Compares the index with the records. `calibration` is that of the model, or null without one. */
export async function checkIndex(
  worker: Worker,
  path: string,
  calibration: Calibration | null,
): Promise<Check[]> {
  try {
    const problems = await worker.call.index({ path, calibration });
    return COMPARED.map(([wanted, name, good, fix]) => {
      const found = problems.filter(({ kind }) => kind === wanted);
      return found.length === 0 ? ok(name, good) : fail(name, listed(found), fix);
    });
  } catch (error) {
    return [fail("index", `the search index cannot be read: ${messageOf(error)}`, REINDEX)];
  }
}

const listed = (problems: IndexProblem[]) => problems.map(({ what, count }) => `${count} ${what}`).join(", ");

/** Records of one file that the migration 0011 found beside the one that it kept. */
const DUPLICATES = ["documents", "prompts"]
  .map((table) => `SELECT id FROM ${table} WHERE json_type(metadata, '$.importDuplicateOf') = 'text'`)
  .join(" UNION ALL ");

/** Whether files had more than one record when the database got its rule of one for each. */
export function checkImports({ sql }: ReadHandle): Check {
  const name = "imports";
  const ids = sql
    .query<{ id: string }, []>(DUPLICATES)
    .all()
    .map(({ id }) => id);
  if (ids.length === 0) return ok(name, "every imported file has one record");
  const named = `${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}`;
  return warn(
    name,
    `${ids.length} records of files that were imported twice belong to no file any more, documents are archived: ${named}`,
    "compare them with the records in their metadata.importDuplicateOf (ctxrepo get ID --json), and delete those that you do not need",
  );
}

const LEFT_OUT = ["documents", "prompts"]
  .map(
    (table) =>
      `SELECT note.value ->> '$.kind' AS kind, count(*) AS records FROM ${table}, json_each(metadata, '$.importNotes') AS note
       WHERE json_type(metadata, '$.importNotes') = 'array' AND json_type(note.value) = 'object' GROUP BY 1`,
  )
  .join(" UNION ALL ");

/** What imports have left out of files: of how many records, by kind. */
export function checkLeftOut({ sql }: ReadHandle): Check {
  const name = "left-out";
  const rows = sql.query<{ kind: string; records: number }, []>(LEFT_OUT).all();
  if (rows.length === 0) return ok(name, "imports have left out nothing of their files");
  const counts = rows.map(({ kind, records }) => `${String(kind).slice(0, 40)}: ${records}`);
  return ok(
    name,
    `imports have left out parts of files, by kind and number of records: ${counts.join(", ")}`,
  );
}

/** Whether jobs have failed for good. */
export function checkJobs(reader: ReadHandle): Check {
  const name = "jobs";
  const failed = listFailedJobs(reader);
  const [first] = failed;
  if (!first) return ok(name, "no job has failed");
  const { kind, subject, error } = first;
  return fail(
    name,
    `${failed.length} jobs have failed: ${kind} of ${subject}: ${error ?? "no reason is stored"}${failed.length > 1 ? ", …" : ""}`,
    "remove the cause, then try them again: ctxrepo reindex --failed",
  );
}

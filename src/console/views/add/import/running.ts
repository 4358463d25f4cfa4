// The import that is running, whatever view is shown, and the report of the last one.

import { signal } from "@preact/signals";
import { messageOf } from "../../../api/request.ts";
import type { Gathered } from "./gather.ts";
import type { ImportedFile } from "./run.ts";

interface Progress {
  total: number;
  outcomes: readonly ImportedFile[];
  isRunning: boolean;
}

/** What is imported, or was imported last; undefined before the first import. */
export const progress = signal<Progress | undefined>(undefined);
/** Why the last import has ended early. */
export const importProblem = signal<string | undefined>(undefined);

let controller = new AbortController();

interface ImportOptions {
  tags: string[];
  /** "" for none. */
  collectionId: string;
  /** Whether edits that were made here are overwritten. */
  force: boolean;
}

/** Imports files while the page is open; one import at a time, another one is ignored meanwhile. Never rejects. */
export async function startImport(gathering: Promise<Gathered[]>, options: ImportOptions): Promise<void> {
  if (progress.value?.isRunning) return;
  controller = new AbortController();
  const { signal: stopped } = controller;
  const outcomes: ImportedFile[] = [];
  let total = 0;
  const show = (isRunning: boolean) => {
    progress.value = { total, outcomes, isRunning };
  };
  importProblem.value = undefined;
  show(true);
  addEventListener("beforeunload", askToStay);
  try {
    const [gathered, { importFiles }] = await Promise.all([gathering, import("./run.ts")]);
    await importFiles(gathered, {
      ...options,
      signal: stopped,
      begin(count) {
        total = count;
        if (count === 0) importProblem.value = "There are no files to import in what you have chosen.";
        show(count > 0);
      },
      report(file) {
        outcomes.push(file);
        show(true);
      },
    });
  } catch (error) {
    importProblem.value = `${messageOf(error)} Import the files again to continue: those that are done are skipped.`;
  }
  removeEventListener("beforeunload", askToStay);
  if (total > 0) show(false);
  else progress.value = undefined;
}

/** Ends the import after the files that are being sent. */
export const stopImport = () => controller.abort();

/** Closing the page would end the import. */
const askToStay = (event: Event) => event.preventDefault();

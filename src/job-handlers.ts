// The handlers of background jobs: one line for each kind.

import { type IndexDocumentDeps, indexDocument } from "./features/chunks/index-job.ts";
import {
  abandonScrape,
  type ScrapeJobDeps,
  scrapeDocument,
} from "./features/documents/scraping/scrape-job.ts";
import { continueRemoval, type RemoveUserDeps } from "./features/identity/remove-user.ts";
import { type IndexPromptDeps, indexPrompt } from "./features/prompts/index-job.ts";
import type { JobRunner } from "./jobs/runner.ts";
import { sweep } from "./retrieval/generations/generations.ts";

/** What the handlers need. */
export interface JobDeps extends IndexDocumentDeps, IndexPromptDeps, ScrapeJobDeps, RemoveUserDeps {
  jobs: JobRunner;
}

/** Starts running the jobs of the queue. */
export function startJobs(deps: JobDeps): void {
  deps.jobs.start(
    {
      "document.index": (documentId, signal) => indexDocument(deps, documentId, signal),
      "document.scrape": (documentId, signal) => scrapeDocument(deps, documentId, signal),
      "prompt.index": (promptId, signal) => indexPrompt(deps, promptId, signal),
      "index.sweep": (_subject, signal) => sweep(deps.store, deps.clock, signal),
      "user.remove": (userId, signal) => continueRemoval(deps, userId, signal),
    },
    { "document.scrape": (write, documentId) => abandonScrape(deps, write, documentId) },
  );
}

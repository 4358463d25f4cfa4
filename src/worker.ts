// All background work on one page: one line for each kind of job.

import type { App } from "./app.ts";
import { indexDocument } from "./features/chunks/index-job.ts";
import { abandonScrape, scrapeDocument } from "./features/documents/scraping/scrape-job.ts";
import { indexPrompt } from "./features/prompts/index-job.ts";
import type { JobKind } from "./jobs/kinds.ts";
import type { JobHandler } from "./jobs/runner.ts";
import { sweep } from "./retrieval/generations.ts";

/** Starts the queue. */
export function startJobs(app: App): void {
  app.jobs.start(handlersOf(app), { "document.scrape": (documentId) => abandonScrape(app, documentId) });
}

function handlersOf(app: App): Record<JobKind, JobHandler> {
  return {
    "document.index": (documentId, signal) => indexDocument(app, documentId, signal),
    "document.scrape": (documentId, signal) => scrapeDocument(app, documentId, signal),
    "prompt.index": (promptId, signal) => indexPrompt(app, promptId, signal),
    "index.sweep": (_subject, signal) => sweep(app.store, app.clock, signal),
  };
}

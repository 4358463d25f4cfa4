// ctxrepo scrape: creates a document from a web page, waits for it and prints its Markdown. A running server does the work;
// if none runs, this process does it.

import { Command } from "commander";
import { type App, openApp } from "../app.ts";
import { ensureUser } from "../auth/users.ts";
import { flagOf, readSettings, SETTINGS, type Settings } from "../config.ts";
import type { Store } from "../db/store.ts";
import { documentToWire } from "../features/documents/contract.ts";
import { readUrl } from "../features/documents/scraping/contract.ts";
import { startScrape } from "../features/documents/scraping/scrape.ts";
import { isBeingScraped } from "../features/documents/scraping/store.ts";
import { type DocumentRow, findDocument, readBody } from "../features/documents/store.ts";
import { startJobs } from "../job-handlers.ts";
import { Failure, notFound } from "../kernel/errors.ts";
import { withDataDir } from "./data-dir.ts";
import { print, printJson, printMessage } from "./output.ts";
import { identityOf, parseUser, type UserOptions, withStore, withUserOptions } from "./user-options.ts";

const POLL_MS = 100;
/** How often to check whether this process must do the work because no server runs any more. */
const TAKE_OVER_INTERVAL_MS = 5_000;

type ScrapeOptions = Omit<UserOptions, "scopes"> & { scrapePrivateNetwork?: string };

export function scrapeCommand(): Command {
  const setting = SETTINGS.find(({ name }) => name === "scrapePrivateNetwork")!;
  return withUserOptions(withDataDir(new Command("scrape")))
    .description("create a document from a web page, wait for it and print its Markdown")
    .argument("<URL>", "the page; https:// is added if there is no ://")
    .option(`${flagOf(setting)} <${setting.value}>`, setting.meaning.replaceAll("`", ""))
    .action(scrape);
}

async function scrape(text: string, options: ScrapeOptions): Promise<void> {
  const { dataDir, scrapePrivateNetwork } = options;
  const settings = readSettings({ dataDir, scrapePrivateNetwork }, process.env);
  const url = readUrl(text, settings.scrapePrivateNetwork === "allow");
  const email = parseUser(options.user);
  await withStore(dataDir, async (store) => {
    const { id } = store.write((write) => startScrape(write, identityOf(ensureUser(write, email)), { url }));
    printMessage(`scraping ${url} …`);
    const app = await waitForScrape(store, settings, id);
    try {
      printDocument(store, id, options.json ?? false);
      // Without a server, this process also indexes the document.
      await app?.jobs.idle();
    } finally {
      await app?.close();
    }
  });
}

/** Resolves when the first fetch is finished. Returns the app if this process does the work. */
async function waitForScrape(store: Store, settings: Settings, id: string): Promise<App | undefined> {
  let app: App | undefined;
  for (let waited = 0; isBeingScraped(store, id); waited += POLL_MS) {
    if (!app && waited % TAKE_OVER_INTERVAL_MS === 0) {
      app = openAppUnlessServerRuns(settings);
      if (app) startJobs(app);
    }
    await Bun.sleep(POLL_MS);
  }
  return app;
}

function openAppUnlessServerRuns(settings: Settings): App | undefined {
  try {
    return openApp({ ...settings, logLevel: "error" });
  } catch (error) {
    if (error instanceof Failure && error.kind === "conflict") return undefined;
    throw error;
  }
}

/** Prints the document. Throws the error of its fetch if that failed. */
function printDocument(store: Store, id: string, asJson: boolean): void {
  const row = findDocument(store, id);
  if (!row) throw notFound(`document ${id}`);
  const { lastRefreshError } = row.source;
  if (lastRefreshError) {
    const { code, message } = lastRefreshError;
    throw new Failure("unavailable", `${code}: ${message} (document ${id})`);
  }
  const text = (hash: string | null) => readBody(store, id, hash);
  const content = text(row.contentHash) ?? "";
  if (asJson) {
    const texts = { content, contentHtml: text(row.contentHtmlHash), rawHtml: text(row.rawHtmlHash) };
    printJson(documentToWire(row, texts));
  } else print(content);
  printMessage(summaryOf(row, content));
}

const summaryOf = ({ id, title }: DocumentRow, content: string) =>
  `"${title}", ${content.length} characters, document ${id}`;

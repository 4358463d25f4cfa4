// ctxrepo scrape: stores a web page, or the pages of a site, as documents; or prints a page without storing it.

import { Command, Option } from "commander";
import { flagOf, readSettings, SETTINGS } from "../base/config.ts";
import { openExtractor } from "../engine/extraction/extractor.ts";
import { readUrl } from "../features/documents/scraping/contract.ts";
import { openPageFetcher } from "../features/documents/scraping/fetcher.ts";
import { loadPage } from "../features/documents/scraping/load.ts";
import { addItems, collectionNamed } from "../importing/collections.ts";
import { systemClock } from "../kernel/clock.ts";
import { badRequest, Failure } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { withClient } from "./client.ts";
import {
  type ClientCommandOptions,
  collect,
  parseDuration,
  parseWholeNumber,
  withClientOptions,
} from "./client-options.ts";
import { abortOnInterrupt } from "./interrupt.ts";
import { countOf, print, printJson, printMessage } from "./output.ts";
import { printable, printableLine } from "./printable.ts";
import { type Scraped, scrapePage } from "./scraping/page.ts";
import { isMissing, type PageOutcome, walkSite } from "./scraping/site.ts";

interface ScrapeOptions extends ClientCommandOptions {
  scrapePrivateNetwork?: string;
  new?: boolean;
  keep?: boolean;
  print?: boolean;
  collection?: string;
  site?: boolean;
  depth: string;
  max: string;
  include: string[];
  exclude: string[];
  older: string;
  delay: string;
}

const MAX_DEPTH = 100;
const MAX_PAGES = 10_000;
const MAX_DELAY_S = 3_600;

export function scrapeCommand(): Command {
  const setting = SETTINGS.find(({ name }) => name === "scrapePrivateNetwork")!;
  return withClientOptions(new Command("scrape"))
    .description("store a web page, wait for it and print its Markdown; or store the pages of a site")
    .argument("<URL>", "the page; https:// is added if there is no ://")
    .option("--new", "store a new document even if one has this page; otherwise that one is refreshed")
    .option("--keep", "keep the empty document of a page that cannot be fetched")
    .option("--print", "print the Markdown of the page without storing it")
    .option("--collection <NAME>", "collection to add the pages to; created if it does not exist")
    .option(
      "--site",
      "store the pages below the URL, too: those of its sitemap and llms.txt, and those that are linked",
    )
    .option("--depth <N>", "with --site: how many links away from the URL a page may be", "5")
    .option("--max <N>", "with --site: maximum number of pages", "200")
    .option(
      "--include <PATTERN>",
      "with --site: only pages whose URL contains this; * is any text; repeatable",
      collect,
      [],
    )
    .option("--exclude <PATTERN>", "with --site: no pages whose URL contains this; repeatable", collect, [])
    .option("--older <TIME>", "with --site: fetch stored pages again that were fetched longer ago", "1d")
    .option("--delay <SECONDS>", "with --site: seconds between two requests", "1")
    .addOption(
      new Option(`${flagOf(setting)} <${setting.value}>`, setting.meaning.replaceAll("`", "")).choices([
        ...setting.choices!,
      ]),
    )
    .action(scrape);
}

async function scrape(text: string, options: ScrapeOptions): Promise<void> {
  const { scrapePrivateNetwork, dataDir, print: isPrinted, site: isSite } = options;
  const settings = readSettings({ dataDir, scrapePrivateNetwork }, process.env);
  const allowPrivate = settings.scrapePrivateNetwork === "allow";
  // A page that is stored is fetched by the server, which has a setting of its own.
  const url = readUrl(text, allowPrivate || !(isPrinted || isSite));
  if (isPrinted) {
    if (isSite || options.collection !== undefined)
      throw badRequest({
        path: "--print",
        message: "stores nothing: it cannot be used with --site or --collection",
      });
    return printPage(url, { allowPrivate, asJson: options.json ?? false });
  }
  if (isSite) return scrapeSite(url, options, allowPrivate);
  await withClient(connectionOf(options), async (client) => {
    printMessage(`scraping ${url} …`);
    const { collection, new: isNew, keep: keeps } = options;
    const scraped = await scrapePage(client, { url, isNew, keeps });
    if (collection !== undefined) {
      const item = { id: scraped.document.id, kind: "document" } as const;
      await addItems(client, await collectionNamed(client, collection), [item]);
    }
    printScraped(scraped, options.json ?? false);
    // Without a server, this process also indexes the document.
    await client.finishJobs();
  });
}

const connectionOf = ({ scrapePrivateNetwork, ...options }: ScrapeOptions) => ({
  ...options,
  flags: { scrapePrivateNetwork },
  creates: true,
  indexes: true,
});

const STATUS = { created: "", updated: "updated ", unchanged: "unchanged " };

function printScraped({ status, document }: Scraped, asJson: boolean): void {
  const { id, title, content } = document;
  if (asJson) printJson(document);
  else print(printable(content));
  printMessage(`${STATUS[status]}"${printableLine(title)}", ${content.length} characters, document ${id}`);
}

/** Fetches a page in this process and prints it. */
async function printPage(
  url: string,
  { allowPrivate, asJson }: { allowPrivate: boolean; asJson: boolean },
): Promise<void> {
  const extractor = openExtractor();
  const { signal } = abortOnInterrupt();
  try {
    const deps = { clock: systemClock, fetcher: openPageFetcher(allowPrivate), extractor };
    const request = { userId: "", url, timeoutMs: LIMITS.scrape.maxTimeoutMs, onlyMainContent: true };
    const page = await loadPage(deps, request, signal).catch((error) => {
      throw new Failure("unavailable", error.code ? `${error.code}: ${error.message}` : error.message, {
        cause: error,
      });
    });
    if (page.notModified) throw new Error("an unconditional request never results in 304");
    const { title, markdown, finalUrl, metadata } = page;
    if (asJson) printJson({ title, content: markdown, url: finalUrl, metadata });
    else print(printable(markdown));
    printMessage(`"${printableLine(title)}", ${markdown.length} characters, not stored`);
  } finally {
    await extractor.close();
  }
}

async function scrapeSite(url: string, options: ScrapeOptions, allowPrivate: boolean): Promise<void> {
  const { collection, include, exclude, keep = false, json, depth, max } = options;
  if (collection === undefined) throw badRequest({ path: "--collection", message: "is needed with --site" });
  const numbers = {
    depth: parseWholeNumber("--depth", depth, { minimum: 0, maximum: MAX_DEPTH }),
    maximum: parseWholeNumber("--max", max, { minimum: 1, maximum: MAX_PAGES }),
    delayMs: 1_000 * parseWholeNumber("--delay", options.delay, { minimum: 0, maximum: MAX_DELAY_S }),
    maxAgeMs: 1_000 * parseDuration("--older", options.older),
  };
  const { signal } = abortOnInterrupt();
  await withClient(connectionOf(options), async (client) => {
    const collectionId = await collectionNamed(client, collection);
    let count = 0;
    const outcomes = await walkSite(
      {
        client,
        signal,
        fetcher: openPageFetcher(allowPrivate),
        report: ({ status, url, reason }, known) =>
          printMessage(
            `${++count}/${known} ${status} ${printableLine(reason === undefined ? url : `${url}: ${reason}`)}`,
          ),
      },
      { url, include, exclude, keeps: keep, collectionId, ...numbers },
    );
    if (json) printJson(outcomes);
    printMessage(summaryOf(outcomes));
    if (signal.aborted) throw new Failure("unavailable", "interrupted: run the command again to continue");
    await client.finishJobs();
    const failed = outcomes.filter((one) => one.status === "failed" && !isMissing(one)).length;
    if (failed > 0) throw new Failure("unavailable", `${countOf(failed, "page")} could not be fetched`);
    if (!outcomes.some(({ id }) => id !== undefined)) throw new Failure("unavailable", "no page was stored");
  });
}

/** `12 created, 1 failed`. */
function summaryOf(outcomes: readonly PageOutcome[]): string {
  const counts = Map.groupBy(outcomes, ({ status }) => status);
  return [...counts].map(([status, { length }]) => `${length.toLocaleString("en")} ${status}`).join(", ");
}

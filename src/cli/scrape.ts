// ctxrepo scrape: creates a document from a web page, waits for it and prints its Markdown.

import { Command, Option } from "commander";
import { flagOf, readSettings, SETTINGS } from "../config.ts";
import { readUrl } from "../features/documents/scraping/contract.ts";
import { Failure } from "../kernel/errors.ts";
import { dataOf } from "../requests/reply.ts";
import { type Client, withClient } from "./client.ts";
import { type ClientCommandOptions, withClientOptions } from "./client-options.ts";
import { print, printJson, printMessage } from "./output.ts";
import { printable, printableLine } from "./printable.ts";

const POLL_MS = 100;

interface ScrapeOptions extends ClientCommandOptions {
  scrapePrivateNetwork?: string;
}

interface ScrapedDocument {
  id: string;
  title: string;
  status: string;
  content: string;
  source?: { lastRefreshError?: { code: string; message: string } };
}

export function scrapeCommand(): Command {
  const setting = SETTINGS.find(({ name }) => name === "scrapePrivateNetwork")!;
  return withClientOptions(new Command("scrape"))
    .description("create a document from a web page, wait for it and print its Markdown")
    .argument("<URL>", "the page; https:// is added if there is no ://")
    .addOption(
      new Option(`${flagOf(setting)} <${setting.value}>`, setting.meaning.replaceAll("`", "")).choices([
        ...setting.choices!,
      ]),
    )
    .action(scrape);
}

async function scrape(text: string, { scrapePrivateNetwork, ...options }: ScrapeOptions): Promise<void> {
  const settings = readSettings({ dataDir: options.dataDir, scrapePrivateNetwork }, process.env);
  const url = readUrl(text, settings.scrapePrivateNetwork === "allow");
  const connection = { ...options, flags: { scrapePrivateNetwork }, creates: true, indexes: true };
  await withClient(connection, async (client) => {
    const started = await client.request("POST", "/v1/documents/scrape", { body: { url } });
    const { documentId } = dataOf(started);
    printMessage(`scraping ${url} …`);
    printDocument(await scraped(client, documentId), options.json ?? false);
    // Without a server, this process also indexes the document.
    await client.finishJobs();
  });
}

/** The document when its first fetch is finished. Throws the error of the fetch if that failed. */
async function scraped(client: Client, id: string): Promise<ScrapedDocument> {
  const path = `/v1/documents/${id}`;
  for (;;) {
    const query = { includeContent: false };
    const { status, source }: ScrapedDocument = dataOf(await client.request("GET", path, { query }));
    if (status !== "processing") {
      const { code, message } = source?.lastRefreshError ?? {};
      if (code !== undefined) throw new Failure("unavailable", `${code}: ${message} (document ${id})`);
      return dataOf(await client.request("GET", path));
    }
    await Bun.sleep(POLL_MS);
  }
}

function printDocument(document: ScrapedDocument, asJson: boolean): void {
  const { id, title, content } = document;
  if (asJson) printJson(document);
  else print(printable(content));
  printMessage(`"${printableLine(title)}", ${content.length} characters, document ${id}`);
}

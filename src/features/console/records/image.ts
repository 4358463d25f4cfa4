// Fetches one image of a document, because a person asked for it: under the rules of scraping, so that a document
// cannot make this server reach a private network.

import type { Fetcher } from "../../../engine/fetching/fetch-page.ts";
import { readScrapeUrl } from "../../../engine/fetching/scrape-url.ts";
import { badRequest, messageOf } from "../../../kernel/errors.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 5 * 1024 * 1024;

/** The image as base64 with its media type. Throws `bad-request` with the reason if it cannot be fetched. */
export async function fetchImage(
  fetcher: Fetcher,
  { url, allowsPrivateNetwork }: { url: string; allowsPrivateNetwork: boolean },
  signal: AbortSignal,
): Promise<{ type: string; base64: string }> {
  try {
    const checked = readScrapeUrl(url, allowsPrivateNetwork);
    const image = await fetcher.fetch({ url: checked, timeoutMs: TIMEOUT_MS, expects: "image" }, signal);
    if (image.notModified) throw new Error("not modified, although no condition was sent");
    if (image.body.byteLength > MAX_BYTES) throw new Error("the image is larger than 5 MB");
    const [type = ""] = image.contentType.toLowerCase().split(";");
    return { type: type.trim(), base64: Buffer.from(image.body).toString("base64") };
  } catch (error) {
    signal.throwIfAborted();
    throw badRequest({ path: "url", message: messageOf(error) });
  }
}

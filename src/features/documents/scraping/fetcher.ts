// The fetcher of pages, as the server and the command scrape open it.

import { type Fetcher, openFetcher } from "../../../engine/fetching/fetch-page.ts";
import { VERSION } from "../../../base/version.ts";

/** Opens a fetcher with the name of this program. `allowPrivate` allows this machine and local networks. */
export function openPageFetcher(allowPrivate: boolean): Fetcher {
  return openFetcher({ userAgent: `Mozilla/5.0 (compatible; ctxrepo/${VERSION})`, allowPrivate });
}

// A client that scrapes pages.

import { pick } from "./document-writes.ts";
import { type Action, expectStatus, type Shared } from "./writer.ts";

export function scrapeActions(shared: Shared, scraped: string[]): () => Action {
  return () => {
    const existing = pick(shared, scraped);
    if (existing !== undefined && shared.random() < 0.7)
      return {
        sent: { method: "GET", path: `/v1/documents/${existing}` },
        done: (received) => expectStatus(received, 200),
      };
    const key = shared.token();
    return {
      sent: {
        method: "POST",
        path: "/v1/documents/scrape",
        body: { url: `${shared.pagesUrl}/${key}` },
        headers: { "Idempotency-Key": key },
      },
      done(received) {
        expectStatus(received, 202);
        const { documentId: document } = received.body.data;
        scraped.push(document);
        shared.facts.add({ kind: "receipt", key });
        shared.facts.add({ kind: "document", document }, `document ${document}`);
      },
    };
  };
}

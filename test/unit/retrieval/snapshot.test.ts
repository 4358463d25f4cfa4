// Each call of the search worker reads one snapshot of the database, whatever is committed while it runs.

import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { identityOf } from "../../../src/db/file-identity.ts";
import { databasePath } from "../../../src/db/open.ts";
import { serveSearch } from "../../../src/retrieval/search/worker.ts";
import { useServer } from "../../helpers/start.ts";

const { app, client, key, settle } = useServer();

test("a document whose index is published during a literal search is found once", async () => {
  const { body } = await client("POST", "/v1/documents", { title: "Green tea", content: "It steeps." });
  const documentId = body.data.id as string;
  await settle();
  // The state between a change and the end of its indexing: the row is ahead of its index, and the job is queued.
  app.store.sql.run("UPDATE documents SET revision = 1");
  app.store.sql.run(
    `INSERT INTO jobs (kind, subject, state, attempts, run_at, created_at, updated_at)
     VALUES ('document.index', '${documentId}', 'failed', 5, 0, 0, 0)`,
  );

  const path = databasePath(app.settings.dataDir);
  const search = await serveSearch({ databasePath: path, identity: identityOf(path), extensionPath: null });
  const query = Database.prototype.query;
  let published = false;
  const spy = spyOn(Database.prototype, "query").mockImplementation(function (this: Database, sql: string) {
    if (!published && sql.includes("chunk_trigrams MATCH")) {
      published = true;
      app.store.sql.run("UPDATE index_generations SET revision = 1");
    }
    return query.call(this, sql);
  } as typeof query);
  try {
    const filter = { userId: key.userId, tags: [] };
    const hits = await search.literal({ query: "green", filter, limit: 10 });
    expect(published).toBe(true);
    expect(hits.map((hit) => hit.documentId)).toEqual([documentId]);
  } finally {
    spy.mockRestore();
    await search.close(null);
  }
});

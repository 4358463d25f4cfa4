// A document that is updated again and again is found by every search in between: by its old or its new revision, never by
// neither.

import { expect, test } from "bun:test";
import { startServer } from "../helpers/start.ts";

test("searches beside updates always find the document", async () => {
  const { client, settle, stop } = startServer();
  try {
    const { body } = await client("POST", "/v1/documents", {
      title: "Walrus",
      content: "the walrus sleeps, round 0",
    });
    const path = `/v1/documents/${body.data.id}`;
    for (let i = 0; i < 300; i++)
      await client("POST", "/v1/documents", { title: `Other ${i}`, content: "a walrus" });
    await settle();
    let updating = true;
    const updates = (async () => {
      for (let round = 1; round <= 60; round++) {
        await client("PATCH", path, { content: `the walrus sleeps, round ${round}` });
        await settle();
      }
      updating = false;
    })();
    let searches = 0;
    let lastRound = 0;
    while (updating) {
      const found = await client("GET", "/v1/search?q=the%20walrus%20sleeps%20round&type=documents&limit=50");
      const hit = found.body.data.documents.find(
        (one: { documentId: string }) => one.documentId === body.data.id,
      );
      expect(hit).toBeDefined();
      const round = Number(/round (\d+)/.exec(hit.highlight)![1]);
      expect(round).toBeGreaterThanOrEqual(lastRound);
      lastRound = round;
      const shown = await client("POST", "/v1/pd/search", { query: "the walrus sleeps round", limit: 50 });
      expect(
        shown.body.data.results.some((one: { documentId: string }) => one.documentId === body.data.id),
      ).toBe(true);
      searches++;
    }
    await updates;
    expect(searches).toBeGreaterThan(10);
  } finally {
    await stop();
  }
});

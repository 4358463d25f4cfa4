// An import through the real program: every document is acknowledged, and /health is served while documents are
// indexed.

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

const DOCUMENTS = 200;
/** Indexing embeds groups of 48 paragraphs: 63 groups. */
const PARAGRAPHS = 3_000;
/** Far more than groups: if /health waited for a group, indexing would be done before the last reply. */
const HEALTH_REQUESTS = 300;

test("an import is acknowledged, and /health never waits for a group of paragraphs that is embedded", async () => {
  const dir = makeTempDir();
  const server = await serveProgram(dir);
  try {
    const key = await server.key();
    const client = createClient(server.url, key);
    const create = async (title: string, content: string) => {
      const { status } = await client("POST", "/v1/documents", { title, content });
      expect(status).toBe(201);
    };
    const createEveryFourth = async (from: number) => {
      for (let i = from; i < DOCUMENTS; i += 4)
        await create(
          `Station ${i}`,
          `# Report ${i}\n\nThe measurement of station ${i} was taken in week ${i % 52}.\n`,
        );
    };
    await Promise.all([0, 1, 2, 3].map(createEveryFourth));
    await untilIndexed(server.url);

    const paragraph =
      "The measurement was taken in spring and is compared with the one of the year before. ".repeat(4);
    await create("Large", Array.from({ length: PARAGRAPHS }, (_, i) => `${i} ${paragraph}`).join("\n\n"));
    for (let i = 0; i < HEALTH_REQUESTS; i++) {
      const reply = await fetch(`${server.url}/health`);
      expect(reply.status).toBe(200);
      const { jobs } = (await reply.json()) as { jobs: { queued: number; running: number } };
      expect(jobs.queued + jobs.running).toBe(1);
    }
  } finally {
    await server.kill("SIGKILL");
    rmSync(dir, { recursive: true });
  }
});

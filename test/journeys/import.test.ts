// An import of 2,000 documents through the real program: everything is acknowledged, and /health answers all the time.

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { serveProgram } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

test("an import never makes /health wait for a batch", async () => {
  const dir = makeTempDir();
  const server = await serveProgram(dir);
  const client = createClient(server.url, /gm_\w+/.exec(server.stderr())![0]);
  const waits: number[] = [];
  let importing = true;
  const watching = (async () => {
    while (importing) {
      const begun = performance.now();
      const reply = await fetch(`${server.url}/health`);
      waits.push(performance.now() - begun);
      expect(reply.status).toBe(200);
      await Bun.sleep(10);
    }
  })();
  const post = async (from: number) => {
    for (let i = from; i < 2000; i += 4) {
      const content = `# Report ${i}\n\nThe measurement of station ${i} was taken in week ${i % 52}.\n`;
      const { status } = await client("POST", "/v1/documents", { title: `Station ${i}`, content });
      expect(status).toBe(201);
    }
  };
  await Promise.all([0, 1, 2, 3].map(post));
  importing = false;
  await watching;
  await server.kill("SIGKILL");
  rmSync(dir, { recursive: true });
  expect(waits.length).toBeGreaterThan(20);
  // The bound is ten times the goal of 100 ms, which `bun run bench ingest` measures: a test machine may be busy.
  expect(Math.max(...waits)).toBeLessThan(1000);
}, 120000);

// The program with an embedding server: records and queries are embedded by it, and doctor checks it.

import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { serveEmbeddings } from "../helpers/embedding-server.ts";
import { runProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

const root = makeTempDir();
const stub = serveEmbeddings();
afterAll(async () => {
  await stub.stop();
  rmSync(root, { recursive: true });
});
const FLAGS = ["--embed-url", stub.url, "--embed-model", "words"];

test("serve embeds with it, search finds, and doctor says which model", async () => {
  const dataDir = join(root, "data");
  const { stdout } = await runProgram(["keys", "create", "--data-dir", dataDir]);
  const server = await serveProgram(dataDir, FLAGS);
  const client = createClient(server.url, stdout.trim());
  await client("POST", "/v1/documents", {
    title: "Tea",
    content: "The kettle whistles when the water boils.",
  });
  await client("POST", "/v1/documents", {
    title: "Court",
    content: "The hearing was adjourned until Monday.",
  });
  await untilIndexed(server.url);
  const { body } = await client("GET", "/v1/search?q=kettle+whistles");
  expect(body.data.documents[0].title).toBe("Tea");
  expect(stub.requests.flatMap(({ input }) => input).some((text) => text.includes("adjourned"))).toBe(true);
  await server.kill("SIGTERM");
  const doctor = await runProgram(["doctor", "--data-dir", dataDir, ...FLAGS]);
  expect(doctor.stdout).toMatch(/^ok +model +words, /m);
});

test("doctor says what to do when it does not run", async () => {
  const flags = ["--embed-url", "http://127.0.0.1:9/v1", "--embed-model", "words"];
  const { code, stdout } = await runProgram(["doctor", "--data-dir", join(root, "none"), ...flags]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^fail +model .*127\.0\.0\.1:9.* → start the embedding server/m);
});

test.each([
  [["--embed-url", "http://127.0.0.1:1/v1"], "--embed-url and --embed-model must be used together"],
  [[...FLAGS, "--models-dir", "x"], "--embed-url and --models-dir cannot be used together"],
])("serve %j is wrong usage", async (flags, message) => {
  const { code, stderr } = await runProgram(["serve", "--data-dir", join(root, "wrong"), ...flags]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

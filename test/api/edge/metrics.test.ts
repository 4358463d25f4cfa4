// GET /metrics: read with a parser of the format, compared with what the server did.

import { describe, expect, test } from "bun:test";
import { METRICS } from "../../../src/site/metrics/definitions.ts";
import { MAX_AGE_MS } from "../../../src/site/metrics/sizes.ts";
import { UNMATCHED } from "../../../src/http/exchange.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { OPERATIONS } from "../../../src/operations.ts";
import { type Family, parseExposition } from "../../helpers/exposition.ts";
import { type Reply, type Started, startServer, useServer } from "../../helpers/start.ts";

const clock = new ManualClock();
const started = useServer({ clock, settings: { metrics: true } });
const { client } = started;

const read = ({ client: from }: Started = started, headers: Record<string, string> = { Authorization: "" }) =>
  from("GET", "/metrics", undefined, headers);
const familiesOf = ({ body }: Reply) => new Map(parseExposition(body).map((one) => [one.name, one]));
const numberOf = (family: Family | undefined, labels: Record<string, string> = {}) =>
  family?.metrics.find((metric) => Bun.deepEquals(metric.labels ?? {}, labels))?.value;

test("every metric of the table is there, with its type and meaning, and no other", async () => {
  await client("POST", "/v1/documents", { title: "Tea", content: "The kettle whistles." });
  await started.settle();
  const reply = await read();
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  // The tests' log has no output of its own that could drop lines.
  const expected = Object.entries(METRICS).filter(([name]) => name !== "ctxrepo_log_lines_dropped_total");
  expect(parseExposition(reply.body).map(({ name, type, help }) => [name, type, help])).toEqual(
    expected.map(([name, { type, help }]) => [name, type.toUpperCase(), help]),
  );
  expect(reply.body).toEndWith("\n");
});

test("requests, durations and bytes are counted by method, route and status", async () => {
  const before = familiesOf(await read());
  const labels = { method: "GET", route: "/v1/user/me" };
  const bytes = JSON.stringify((await client("GET", "/v1/user/me")).body).length;
  await client("GET", "/v1/user/me", undefined, { Authorization: "" });
  const page = await read();
  const after = familiesOf(page);
  const grown = (name: string, more: Record<string, string>) =>
    Number(numberOf(after.get(name), more)) - Number(numberOf(before.get(name), more) ?? 0);
  expect(grown("ctxrepo_http_requests_total", { ...labels, status: "200" })).toBe(1);
  expect(grown("ctxrepo_http_requests_total", { ...labels, status: "401" })).toBe(1);
  expect(grown("ctxrepo_http_response_bytes_total", labels)).toBeGreaterThan(bytes);
  // The parser leaves out the labels of histograms. The clock does not move: both requests took no time.
  for (const line of [
    '_bucket{method="GET",route="/v1/user/me",le="0.001"}',
    '_count{method="GET",route="/v1/user/me"}',
  ])
    expect(page.body).toContain(`ctxrepo_http_request_duration_seconds${line} 2\n`);
});

test("the values of labels are from fixed sets, whatever is requested", async () => {
  for (const path of ["/v1/documents/x", "/v1/nowhere/1", "/a", "/b?c=d", "/v1/documents/%0a%22"])
    await client("GET", path);
  const routes = new Set([...OPERATIONS.map(({ path }) => path), "/health", "/metrics", UNMATCHED]);
  const { metrics } = familiesOf(await read()).get("ctxrepo_http_requests_total")!;
  expect(metrics.length).toBeGreaterThan(3);
  expect(metrics.map(({ labels }) => labels!.route!).filter((route) => !routes.has(route))).toEqual([]);
});

test("rows are counted again after a few seconds, not at every request", async () => {
  clock.advance(MAX_AGE_MS);
  const documents = async () => Number(numberOf(familiesOf(await read()).get("ctxrepo_documents")));
  const before = await documents();
  await client("POST", "/v1/documents", { title: "More", content: "# One\n\nText.\n\n# Two\n\nText." });
  await started.settle();
  expect(await documents()).toBe(before);
  clock.advance(MAX_AGE_MS);
  const families = familiesOf(await read());
  const sql = started.app.store.sql;
  expect(numberOf(families.get("ctxrepo_documents"))).toBe(String(before + 1));
  expect(numberOf(families.get("ctxrepo_index_live_generations"))).toBe(String(before + 1));
  expect(numberOf(families.get("ctxrepo_index_chunks"))).toBe(
    String((sql.query("SELECT count(*) AS n FROM chunks").get() as { n: number }).n),
  );
  const job = { kind: "document.index" };
  expect(numberOf(families.get("ctxrepo_jobs"), { ...job, state: "queued" })).toBe("0");
  expect(numberOf(families.get("ctxrepo_job_runs_total"), { ...job, outcome: "done" })).toBe(
    String(before + 1),
  );
  for (const name of ["ctxrepo_database_bytes", "process_resident_memory_bytes"])
    expect(Number(numberOf(families.get(name)))).toBeGreaterThan(10_000);
});

describe("who may read it", () => {
  test("without --metrics it is unknown like any other path", async () => {
    const without = startServer();
    const [metrics, nowhere] = [await read(without), await without.client("GET", "/nowhere")];
    expect([metrics.status, metrics.body]).toEqual([404, nowhere.body]);
    await without.stop();
  });

  test("a server that other machines can reach requires a credential", async () => {
    const remote = startServer({ settings: { metrics: true, host: "0.0.0.0", allowRemote: true } });
    const rejected = await read(remote);
    expect([rejected.status, rejected.headers.has("www-authenticate")]).toEqual([401, true]);
    expect((await read(remote, {})).status).toBe(200);
    await remote.stop();
  });

  test("a foreign Host, and methods other than GET and HEAD, are rejected", async () => {
    expect((await read(started, { Host: "evil.example" })).status).toBe(403);
    expect((await client("POST", "/metrics", {})).status).toBe(405);
    expect((await client("HEAD", "/metrics")).status).toBe(200);
  });
});

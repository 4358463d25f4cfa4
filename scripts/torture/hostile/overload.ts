// Requests that are valid or plainly wrong, and expensive: large bodies of many small values, long names that an error
// could echo, lists of megabytes at once, and writes of many clients. Other requests must not wait for them.

import { percentile } from "../../bench/measures.ts";
import type { Check } from "../torture.ts";
import { type Caller, expectStatus, type RawReply, type Tally } from "./tally.ts";

const NAMES = 490_000;
const LIST_DOCUMENTS = 40;
const LISTS_AT_ONCE = 110;
const LINE_UNITS = 5 * 1024 * 1024 - 10;
/** A rejected request gets no longer reply. */
const MAX_ERROR_UNITS = 10_000;

interface OverloadSetting {
  call: Caller;
  tally: Tally;
  /** A search of another user, which nobody sent before. */
  search: () => Promise<RawReply>;
  /** Measures /health while `work` runs. */
  beside: (name: string, work: () => AsyncGenerator<Check>) => AsyncGenerator<Check>;
}

const listOf = (length: number, item: (index: number) => string) =>
  Array.from({ length }, (_, index) => item(index)).join(",");
const document = (metadata: string) => `{"title":"x","content":"y","metadata":{${metadata}}}`;

/** Bodies that were slow to read once, by name. `share` scales the number of values. */
const BODIES: Record<string, (share: number) => string> = {
  "many names": (share) => document(listOf(NAMES * share, (index) => `"k${index}":1`)),
  "integers as names": (share) =>
    document(listOf(NAMES * share, (index) => `"${(index * 8191) % 4294967294}":1`)),
  "numbers of 73 digits": (share) => document(`"a":[${listOf(NAMES * share, () => `1${"0".repeat(70)}.5`)}]`),
  "short strings": (share) => document(`"a":[${listOf(NAMES * share, () => `"${"é".repeat(38)}"`)}]`),
  "escaped quotes": (share) => `{"title":"x","content":"${'\\"'.repeat(19_000_000 * share)}"}`,
  "a number of megabytes": (share) => document(`"a":${"9".repeat(38_000_000 * share)}`),
};

/** Bodies with one long name or value at a place that an error message names. */
const ECHOES: Record<string, (units: number) => string> = {
  "an inexact integer under a long name": (units) => document(`"${"n".repeat(units)}":9007199254740993`),
  "a lone surrogate under a long name": (units) => document(`"${"n".repeat(units)}":"\\ud800"`),
};

/** Sends all of it, one kind after another. `beside` measures /health meanwhile. */
export async function* overload(
  { call, tally, search, beside }: OverloadSetting,
  { share, seconds }: { share: number; seconds: number },
): AsyncGenerator<Check> {
  for (const [name, make] of Object.entries(BODIES)) {
    yield* beside(name, async function* () {
      const body = make(share);
      const both: Record<string, string>[] = [{}, { "Idempotency-Key": name }];
      for (const headers of both)
        expectStatus(tally, await call("POST", "/v1/documents", { body, headers, kind: name }), [
          name,
          201,
          400,
          413,
        ]);
      yield slowest(tally, name);
    });
  }
  yield* beside("long ids", async function* () {
    const ids = listOf(NAMES * share, () => `"${"a".repeat(27)}"`);
    const body = `{"query":"x","collectionIds":[${ids}],"documentIds":[${ids}]}`;
    for (const path of ["/v1/reason", "/v1/pd/search"])
      expectStatus(tally, await call("POST", path, { body, kind: "long ids" }), [path, 200, 400, 413]);
    yield slowest(tally, "long ids");
  });
  yield* echoes(call, tally, 30_000_000 * share);
  yield* lists({ call, tally, beside }, share);
  yield* writes({ call, tally, search, beside }, seconds);
}

async function* echoes(call: Caller, tally: Tally, units: number): AsyncGenerator<Check> {
  let longest = 0;
  const send = async (name: string, path: string, body: string, headers: Record<string, string>) => {
    const reply = await call("POST", path, { body, headers, kind: "echo" });
    expectStatus(tally, reply, [name, 400, 413]);
    longest = Math.max(longest, reply.text.length);
  };
  for (const [name, make] of Object.entries(ECHOES)) {
    const body = make(units);
    // The second reply comes from the receipt of the first.
    for (let time = 0; time < 2; time++) await send(name, "/v1/documents", body, { "Idempotency-Key": name });
  }
  const id = "i".repeat(units);
  const headers = { Accept: "application/json, text/event-stream" };
  await send("a long id", "/mcp", `{"jsonrpc":"2.0","id":"${id}","method":"nothing"}`, headers);
  yield {
    check: "longest reply to a rejected body",
    value: longest,
    unit: "characters",
    atMost: MAX_ERROR_UNITS,
  };
}

async function* lists(
  { call, tally, beside }: Pick<OverloadSetting, "call" | "tally" | "beside">,
  share: number,
): AsyncGenerator<Check> {
  const metadata = { text: "m".repeat(250_000 * share) };
  for (let index = 0; index < LIST_DOCUMENTS; index++)
    await call("POST", "/v1/documents", { body: { title: `list ${index}`, content: "text", metadata } });
  const path = "/v1/documents?limit=100&includeMetadata=true";
  yield* beside("lists at once", async function* () {
    const replies = await Promise.all(
      Array.from({ length: LISTS_AT_ONCE * share }, () => call("GET", path, { kind: "list" })),
    );
    for (const reply of replies) expectStatus(tally, reply, [path, 200, 429]);
    const complete = replies.filter(({ status }) => status === 200).length;
    yield { check: "lists at once, complete", value: complete, unit: "replies", atLeast: 1 };
    yield slowest(tally, "list");
  });
}

async function* writes(
  { call, tally, search, beside }: Pick<OverloadSetting, "call" | "tally" | "beside" | "search">,
  seconds: number,
): AsyncGenerator<Check> {
  const line = JSON.stringify({ title: "line", content: "x".repeat(LINE_UNITS) });
  const loads: [name: string, lanes: number, body: (index: number) => unknown][] = [
    ["nothing written", 0, () => ""],
    [
      "small documents of 16 clients",
      16,
      (index) => ({ title: `small ${index}`, content: `Number ${index}.\n\n`.repeat(20) }),
    ],
    ["lines of 5 MB of 4 clients", 4, () => line],
  ];
  for (const [name, lanes, body] of loads) {
    yield* beside(name, async function* () {
      const until = performance.now() + seconds * 1_000;
      const isOver = () => performance.now() >= until;
      let sent = 0;
      const write = async () => {
        while (!isOver())
          expectStatus(tally, await call("POST", "/v1/documents", { body: body(sent++) }), [name, 201]);
      };
      const searches: number[] = [];
      const read = async () => {
        do {
          const startedAt = performance.now();
          const reply: RawReply = await search();
          expectStatus(tally, reply, [`a search beside ${name}`, 200]);
          searches.push(performance.now() - startedAt);
          await Bun.sleep(20);
        } while (!isOver());
      };
      await Promise.all([read(), ...Array.from({ length: lanes }, write)]);
      yield { check: `${name}: writes`, value: sent, unit: "requests" };
      yield {
        check: `a search of another user beside ${name}, p99`,
        value: percentile(searches, 0.99),
        unit: "ms",
      };
    });
  }
}

const slowest = ({ latencies }: Tally, kind: string): Check => ({
  check: `${kind}, slowest reply`,
  value: Math.max(0, ...(latencies.get(kind) ?? [])),
  unit: "ms",
});

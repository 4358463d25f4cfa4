// Lines of MCP: how they are split, read and found in responses.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { linesOf, messagesOf, readFrame, TOO_LONG } from "../../../src/cli/mcp-frames.ts";

async function* chunks(...parts: Uint8Array[]) {
  yield* parts;
}
const collect = async <Value>(values: AsyncIterable<Value>) => {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
};

describe("lines", () => {
  test("are the same however the text is cut into chunks", async () => {
    const text = '{"a":"é😀"}\r\n\n  {"b":1}\nlast';
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(40), { maxLength: 8 }), async (cuts) => {
        const bytes = Buffer.from(text);
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const parts = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(await collect(linesOf(chunks(...parts), 1_000))).toEqual(['{"a":"é😀"}', '{"b":1}', "last"]);
      }),
    );
  });

  test("that are too long are reported and not kept", async () => {
    const lines = linesOf(
      chunks(Buffer.from("12345"), Buffer.from("6789\nshort\n"), Buffer.from("123456789")),
      8,
    );
    expect(await collect(lines)).toEqual([TOO_LONG, "short", TOO_LONG]);
  });
});

describe("a frame", () => {
  const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };

  test.each([
    ["a request", { id: 1, method: "x" }, { id: 1, expectsResponse: true, headers: {} }],
    ["a request with a text id", { id: "a", method: "x" }, { id: "a", expectsResponse: true }],
    ["a notification", { method: "x" }, { id: undefined, expectsResponse: false }],
    ["a response", { id: 1, result: {} }, { id: undefined, expectsResponse: false }],
    [
      "a cancellation",
      { method: "notifications/cancelled", params: { requestId: 7 } },
      { cancelledId: 7, expectsResponse: false },
    ],
    [
      "a request of 2026-07-28",
      { id: 1, method: "tools/call", params: { name: "née", _meta: meta } },
      {
        headers: {
          "MCP-Protocol-Version": "2026-07-28",
          "Mcp-Method": "tools/call",
          "Mcp-Name": "=?base64?bsOpZQ==?=",
        },
      },
    ],
    [
      "a version that is no header",
      { id: 1, method: "x", params: { _meta: { "io.modelcontextprotocol/protocolVersion": "a\nb" } } },
      { headers: {} },
    ],
    ["a batch", [{ id: 1, method: "x" }], { id: undefined, expectsResponse: true }],
  ])("is %s", (_, message, expected) => {
    const text = JSON.stringify(message);
    expect(readFrame(text)).toMatchObject({ text, ...expected });
  });

  test.each(["", "{", "1", "null", '"x"'])("is not %j", (text) => {
    expect(readFrame(text)).toBeUndefined();
  });
});

describe("the messages of a response", () => {
  const read = (body: string, type: string) =>
    collect(messagesOf(new Response(body, { headers: { "Content-Type": type } })));

  test("are its body if it is JSON, on one line", async () => {
    expect(await read('{"a":\n1}', "application/json")).toEqual(['{"a": 1}']);
    expect(await read("", "application/json")).toEqual([]);
  });

  test("are the data of events otherwise", async () => {
    const events = 'event: message\nid: 1\ndata: {"a":1}\n\n: keep-alive\n\ndata:{"b":2}\r\n\r\n';
    expect(await read(events, "text/event-stream")).toEqual(['{"a":1}', '{"b":2}']);
  });
});

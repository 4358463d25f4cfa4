// Lines of the log: both formats, levels, and facts that try to forge a line or control a terminal.

import { describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { createLog, type LogFormat, type LogLevel } from "../../../src/kernel/log.ts";

const TIME = new Date(1_800_000_000_000).toISOString();

function logged(format: LogFormat, level: LogLevel = "debug") {
  const lines: string[] = [];
  const log = createLog({ level, format, clock: new ManualClock(), write: (line) => lines.push(line) });
  return { lines, log };
}

test("text: plain values without quotes, others as JSON, no fact that is undefined", () => {
  const { lines, log } = logged("text");
  log.info("request", { route: "/v1/documents/:id", status: 200, caller: "-", none: undefined, no: null });
  log.warn("a reason", { reason: 'has "quotes" and = signs', list: [1, "a b"] });
  expect(lines).toEqual([
    `${TIME} info  request route=/v1/documents/:id status=200 caller=- no=null\n`,
    `${TIME} warn  a reason reason="has \\"quotes\\" and = signs" list=[1,"a b"]\n`,
  ]);
});

test("json: one object per line", () => {
  const { lines, log } = logged("json");
  log.error("failed", { reason: "no", none: undefined });
  expect(lines).toEqual([
    `${JSON.stringify({ time: TIME, level: "error", message: "failed", reason: "no" })}\n`,
  ]);
});

test("only events of at least the level are logged", () => {
  const { lines, log } = logged("text", "warn");
  for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
  expect(lines.map((line) => line.split(" ").at(-1))).toEqual(["warn\n", "error\n"]);
});

describe.each(["text", "json"] as const)("%s", (format) => {
  test.each([
    ["a line break", `\n${TIME} info  request status=200`],
    ["a carriage return", "\rgone"],
    ["a terminal command", "\u001b[2Jcleared"],
    ["a C1 control", "\u009b2Jcleared"],
    ["DEL and NUL", "\u007f\u0000"],
    ["a line separator", "\u2028next"],
    ["a bidirectional override", "\u202egnp.exe"],
  ])("%s is escaped, in facts and in messages", (_name, hostile) => {
    const { lines, log } = logged(format);
    log.info("event", { reason: hostile, nested: { list: [hostile] } });
    log.info(`event ${hostile}`);
    for (const line of lines) {
      expect(line).toEndWith("\n");
      expect(line.slice(0, -1)).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/,
      );
    }
    if (format === "json") expect(JSON.parse(lines[0]!).reason).toBe(hostile);
  });

  test("a long fact is cut", () => {
    const { lines, log } = logged(format);
    log.info("event", { reason: "r".repeat(5_000), plain: "p".repeat(5_000), ms: 1 });
    expect(lines[0]!.length).toBeLessThan(4_200);
    expect(lines[0]).toContain("…");
  });
});

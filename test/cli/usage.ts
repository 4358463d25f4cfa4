// Runs a command in the process of the tests, which is faster than a new one. Only for commands that end before they
// open anything: wrong usage and help.

import { spyOn } from "bun:test";
import { run } from "../../src/cli/run.ts";
import type { Finished } from "../helpers/program.ts";

export async function runHere(args: string[]): Promise<Finished> {
  const outputs = [process.stdout, process.stderr].map((stream) =>
    spyOn(stream, "write").mockImplementation(() => true),
  );
  try {
    const code = await run(args);
    const [stdout = "", stderr = ""] = outputs.map(({ mock }) => mock.calls.map(([text]) => text).join(""));
    return { code, stdout, stderr };
  } finally {
    for (const output of outputs) output.mockRestore();
  }
}

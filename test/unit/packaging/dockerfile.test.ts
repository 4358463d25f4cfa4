// The Dockerfile names variables, a port and files that the program and the repository have. No test builds the image:
// that needs the network.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SETTINGS, variableOf } from "../../../src/base/config.ts";
import { createProgram } from "../../../src/cli/program.ts";

const ROOT = join(import.meta.dir, "../../..");
const dockerfile = await Bun.file(join(ROOT, "Dockerfile")).text();
const all = (pattern: RegExp) => [...dockerfile.matchAll(pattern)].map(([, one = ""]) => one);

test("its variables are settings, and its port is the default one", () => {
  const known = [...SETTINGS.map(variableOf), "CTXREPO_CACHE_DIR"];
  const variables = all(/\b(CTXREPO_[A-Z_]+)=/g);
  expect(variables.length).toBeGreaterThan(3);
  expect(variables.filter((one) => !known.includes(one))).toEqual([]);
  const port = SETTINGS.find(({ name }) => name === "port")!.default;
  expect([...all(/EXPOSE (\d+)/g), ...all(/127\.0\.0\.1\/(\d+)/g)]).toEqual([port, port]);
});

test("it copies what the build makes, and runs a command as the user that it creates", () => {
  expect(all(/COPY --from=build \/source\/(\S+)/g)).toEqual(["dist/ctxrepo", "LICENSE"]);
  expect(existsSync(join(ROOT, "LICENSE"))).toBe(true);
  const [user] = all(/^USER (\S+)/gm);
  expect(dockerfile).toContain(`useradd --uid 10001 --no-create-home ${user} `);
  expect(dockerfile).toContain(`--owner ${user} `);
  const [command = ""] = all(/^CMD \["(\w+)"\]/gm);
  expect(createProgram().commands.map((one) => one.name())).toContain(command);
});

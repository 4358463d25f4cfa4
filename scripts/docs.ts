// bun run docs: writes the generated tables of README.md and docs/*.md. `--check` changes nothing and exits with 1 if
// one is stale. A table is placed between `<!-- generated: NAME -->` and `<!-- end -->`; a file may contain any number
// of them.

import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../src/cli/program.ts";
import { flagOf, SETTINGS, variableOf } from "../src/base/config.ts";
import { METRICS } from "../src/site/metrics/definitions.ts";
import { publishedPath } from "../src/site/openapi/document.ts";
import { QUEUES } from "../src/http/admission.ts";
import { STATUS } from "../src/http/errors.ts";
import { FAILURE_CODES, FAILURE_CODES_APPEAR_IN } from "../src/kernel/failure-codes.ts";
import { LIMITS } from "../src/kernel/limits.ts";
import type { MetricDefinition } from "../src/kernel/metrics.ts";
import { DEFAULT_SELECTION, selectTools, TOOLS } from "../src/mcp/tools/all.ts";
import { OPERATIONS } from "../src/operations.ts";
import { LIMIT_MEANINGS } from "./limit-meanings.ts";

const ROOT = join(import.meta.dir, "..");

function table(columns: string[], rows: string[][]): string {
  return [columns, columns.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function commands(): string {
  const rowsOf = (command: Command, parents: string[]): string[][] => {
    const names = [...parents, command.name()];
    const inner = command.commands.flatMap((one) => rowsOf(one, names));
    if (inner.length > 0 && command.registeredArguments.length === 0) return inner;
    const words = [...names, ...command.registeredArguments.map((argument) => argument.name())];
    return [[`\`${words.join(" ")}\``, command.description()], ...inner];
  };
  return table(
    ["Command", "Description"],
    createProgram().commands.flatMap((command) => rowsOf(command, [])),
  );
}

function settings(): string {
  return table(
    ["Flag", "Variable", "Default", "Meaning"],
    SETTINGS.map((setting) => [
      `\`${flagOf(setting)}${setting.value ? ` ${setting.value}` : ""}\``,
      `\`${variableOf(setting)}\``,
      setting.default.includes("`") || setting.default.includes(" ")
        ? setting.default
        : `\`${setting.default}\``,
      setting.meaning,
    ]),
  );
}

function operations(): string {
  return table(
    ["Method", "Path", "Scope", "Summary"],
    OPERATIONS.map(({ method, requires, summary, ...operation }) => [
      method,
      `\`${publishedPath(operation)}\``,
      typeof requires === "string" ? requires : requires.anyOf.map((scope) => `\`${scope}\``).join(" or "),
      summary,
    ]),
  );
}

function errors(): string {
  return table(
    ["Kind", "Status"],
    Object.entries(STATUS).map(([kind, status]) => [kind, String(status)]),
  );
}

function failureCodes(): string {
  return table(
    ["Code", "Appears in", "Retry", "Meaning"],
    Object.entries(FAILURE_CODES).map(([code, { from, retry, meaning }]) => [
      `\`${code}\``,
      [...new Set(from.map((source) => FAILURE_CODES_APPEAR_IN[source]))].join(", "),
      retry,
      meaning,
    ]),
  );
}

function limits(): string {
  const amount = (name: string, value: number) => {
    if (/bytes/i.test(name)) {
      if (value % 1024 ** 2 === 0) return `${value / 1024 ** 2} MB`;
      return value % 1024 === 0 ? `${value / 1024} kB` : `${value} bytes`;
    }
    const number = value.toLocaleString("en");
    if (name.endsWith("Ms")) return `${number} ms`;
    return name.endsWith("S") ? `${number} s` : number;
  };
  return table(
    ["Limit", "Value", "Of what"],
    Object.entries(LIMITS).flatMap(([group, members]) =>
      Object.entries(members).map(([name, value]) => [
        `\`${group}.${name}\``,
        amount(name, value),
        (LIMIT_MEANINGS[group as keyof typeof LIMITS] as Record<string, string>)[name]!,
      ]),
    ),
  );
}

function queues(): string {
  return table(
    ["Requests", "At the same time", "Of one user", "Waiting", "Of one user"],
    Object.entries(QUEUES).map(([name, limits]) => [
      requestsIn(name),
      ...[limits.running, limits.runningOfUser, limits.waiting, limits.waitingOfUser].map(String),
    ]),
  );
}

/** The requests that wait in a queue. */
function requestsIn(queue: string): string {
  if (queue === "body") return `reading a body of more than ${LIMITS.body.inlineBytes / 1024} kB`;
  return OPERATIONS.filter((operation) => operation.queue === queue)
    .map(({ method, isQueued, ...operation }) => {
      const request = `\`${method} ${publishedPath(operation)}\``;
      return isQueued ? `${request} with filters` : request;
    })
    .join(", ");
}

function metrics(): string {
  return table(
    ["Metric", "Type", "Labels", "Meaning"],
    Object.entries<MetricDefinition>(METRICS).map(([name, { type, labels = [], help }]) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(", "),
      help,
    ]),
  );
}

function mcpTools(): string {
  const core = new Set(selectTools(DEFAULT_SELECTION));
  return table(
    ["Tool", "In `core`", "Changes", "Corresponds to", "Use"],
    TOOLS.map((tool) => {
      const { method, ...operation } = OPERATIONS.find(({ name }) => name === tool.operation)!;
      return [
        `\`${tool.name}\``,
        core.has(tool) ? "yes" : "",
        tool.behaviour.readOnly ? "nothing" : tool.behaviour.destructive ? "destroys" : "yes",
        `\`${method} ${publishedPath(operation)}\``,
        tool.description,
      ];
    }),
  );
}

/** The generated tables by name. Each must be placed in at least one file. */
export const TABLES: Readonly<Record<string, () => string>> = {
  commands,
  settings,
  operations,
  errors,
  failureCodes,
  limits,
  queues,
  metrics,
  mcpTools,
};

const MARKED = /<!-- generated: (\w+) -->\n[\s\S]*?<!-- end -->/g;

/** README.md and all files of docs/, relative to the repository. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  ...[...new Bun.Glob("docs/**/*.md").scanSync({ cwd: ROOT })].sort(),
];

/** Names of the generated tables in a text, in order. */
export function tablesIn(text: string): string[] {
  return [...text.matchAll(MARKED)].map(([, name = ""]) => name);
}

/** The text with its tables up to date. Throws an Error if it marks a table that does not exist. */
export function withTables(text: string): string {
  return text.replace(MARKED, (_, name: string) => {
    const make = TABLES[name];
    if (!make) throw new Error(`there is no generated table named ${name}`);
    return `<!-- generated: ${name} -->\n${make()}\n<!-- end -->`;
  });
}

if (import.meta.main) {
  const isCheck = process.argv.includes("--check");
  for (const name of DOCUMENTS) {
    const file = Bun.file(join(ROOT, name));
    const text = await file.text();
    const wanted = withTables(text);
    if (text === wanted) continue;
    console.log(`${name} ${isCheck ? "is stale: run `bun run docs`" : "updated"}`);
    if (isCheck) process.exitCode = 1;
    else await file.write(wanted);
  }
}

// Writes the generated tables of README.md: settings, operations, errors, limits. `--check` only says whether they are stale.

import { join } from "node:path";
import { flagOf, SETTINGS, variableOf } from "../src/config.ts";
import { publishedPath } from "../src/features/openapi/document.ts";
import { STATUS } from "../src/http/errors.ts";
import { LIMITS } from "../src/kernel/limits.ts";
import { OPERATIONS } from "../src/operations.ts";

const README = join(import.meta.dir, "../README.md");

function table(columns: string[], rows: string[][]): string {
  return [columns, columns.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
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

function limits(): string {
  const amount = (name: string, value: number) =>
    !/bytes/i.test(name)
      ? value.toLocaleString("en")
      : value % 1024 ** 2 === 0
        ? `${value / 1024 ** 2} MB`
        : value % 1024 === 0
          ? `${value / 1024} kB`
          : `${value} bytes`;
  return table(
    ["Limit", "Value"],
    Object.entries(LIMITS).flatMap(([group, members]) =>
      Object.entries(members).map(([name, value]) => [`\`${group}.${name}\``, amount(name, value)]),
    ),
  );
}

const SECTIONS: Record<string, () => string> = { settings, operations, errors, limits };

/** The README with its tables as they should be now. */
export function generated(text: string): string {
  return Object.entries(SECTIONS).reduce((result, [name, make]) => {
    const [begin, end] = [`<!-- generated: ${name} -->`, "<!-- end -->"];
    const from = result.indexOf(begin);
    if (from < 0) throw new Error(`README.md has no place for ${name}`);
    const to = result.indexOf(end, from);
    return `${result.slice(0, from)}${begin}\n${make()}\n${result.slice(to)}`;
  }, text);
}

if (import.meta.main) {
  const text = await Bun.file(README).text();
  const wanted = generated(text);
  if (process.argv.includes("--check")) process.exit(text === wanted ? 0 : 1);
  await Bun.write(README, wanted);
}

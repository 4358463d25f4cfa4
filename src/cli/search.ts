// ctxrepo search: finds documents, prompts and collections by meaning or by text, and shows where they match.

import { Command, Option } from "commander";
import { badRequest } from "../kernel/errors.ts";
import { parseSearch } from "../kernel/search-syntax.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Place } from "../features/chunks/place.ts";
import { dataOf } from "../requests/reply.ts";
import { withClient } from "./client.ts";
import {
  type ClientCommandOptions,
  collect,
  PATH_HELP,
  parseKind,
  parseQuery,
  pathPrefix,
  parseWholeNumber,
  withClientOptions,
} from "./client-options.ts";
import { printJson, printMessage } from "./output.ts";
import { paged } from "./pager.ts";
import { printPending } from "./pending.ts";
import { describePlace } from "./place.ts";
import { printableLine } from "./printable.ts";
import { recordNamed } from "./records/named.ts";
import { outputStyle, type Style, wrap } from "./style.ts";

const { defaultLimit, maxLimit, defaultThreshold } = LIMITS.search;
const GROUPS = ["documents", "prompts", "collections"] as const;
const TYPES = [...GROUPS, "all"] as const;
const SYNTAX_HELP =
  'what to search for; may contain "exact phrase", -word, tag:x, path:x, title:x, in:collection, after:2026-01-31, before:2026-01-31';

interface SearchOptions extends ClientCommandOptions {
  literal?: boolean;
  type: string;
  tag?: string[];
  collection?: string;
  path?: string;
  limit: string;
  threshold?: string;
}

interface Hit {
  id: string;
  title?: string;
  name?: string;
  highlight?: string;
  description?: string;
  tags: string[];
  score?: number;
  source?: Place;
  status?: "archived";
}

export function searchCommand(): Command {
  return withClientOptions(new Command("search"))
    .description("search by meaning, or for a literal text")
    .argument("<QUERY...>", SYNTAX_HELP)
    .option("--literal", "search for the text as it is written, ignoring case")
    .addOption(
      new Option("--type <TYPE>", "what to search").choices(TYPES).argParser(parseKind(TYPES)).default("all"),
    )
    .option("--tag <TAG>", "only records with this tag; repeatable", collect)
    .option("--collection <NAME>", "only records of this collection: its name or id")
    .option("--path <PREFIX>", PATH_HELP)
    .option("--limit <N>", `maximum number of results of each type, 1 to ${maxLimit}`, String(defaultLimit))
    .option("--threshold <SCORE>", `minimum score by meaning, 0 to 1 (default: ${defaultThreshold})`)
    .action(search);
}

async function search(words: string[], options: SearchOptions): Promise<void> {
  const { literal = false, type, tag, collection, path, threshold, json } = options;
  const written = parseQuery("QUERY", words);
  const { text, unread } = parseSearch(written, "QUERY");
  for (const one of unread)
    printMessage(`${printableLine(one)} is searched as text: a date is like 2026-01-31`);
  const query = {
    q: path === undefined ? written : `${written} ${pathOperator(path)}`,
    semantic: !literal,
    type,
    tags: tag,
    limit: parseWholeNumber("--limit", options.limit, { minimum: 1, maximum: maxLimit }),
    scoreThreshold: threshold === undefined ? undefined : parseScore(threshold),
  };
  const found: Record<(typeof GROUPS)[number], Hit[]> = await withClient(options, async (client) => {
    const types = ["collection"] as const;
    const inside =
      collection === undefined
        ? undefined
        : await recordNamed(client, { argument: "--collection", name: collection, types });
    const request = { query: { ...query, collectionId: inside?.id } };
    const reply = await client.request("GET", "/v1/search", request);
    const data = dataOf(reply);
    printPending(reply);
    return data;
  });
  if (json) return printJson(found);
  const style = outputStyle();
  const mark = markerOf(text, literal, style);
  const sections: string[] = [];
  let number = 0;
  for (const group of GROUPS) {
    if (found[group].length === 0) continue;
    const heading = style.strong(group.charAt(0).toUpperCase() + group.slice(1));
    const hits = found[group].map((hit) => describeHit(hit, { number: ++number, style, mark }));
    sections.push([heading, ...hits].join("\n"));
  }
  if (number > 0) await paged((write) => write(`${sections.join("\n\n")}\n`));
  else
    printMessage(
      literal
        ? "nothing found"
        : "nothing found (try a lower --threshold, --literal, or fewer operators such as in: and tag:)",
    );
}

/** `--path` as an operator of a query. */
function pathOperator(path: string): string {
  if (path.includes('"')) throw badRequest({ path: "--path", message: "must not contain quotes" });
  return `path:"${pathPrefix(path)}"`;
}

function parseScore(text: string): number {
  const score = /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (score >= 0 && score <= 1) return score;
  throw badRequest({ path: "--threshold", message: "must be a number from 0 to 1" });
}

interface Look {
  number: number;
  style: Style;
  mark(text: string): string;
}

function describeHit(hit: Hit, { number, style, mark }: Look): string {
  const label = `${number}.`.padStart(3);
  const indent = " ".repeat(label.length + 1);
  const state = hit.status === "archived" ? " (archived)" : "";
  const title = printableLine(hit.title ?? hit.name ?? "") + state;
  const body = printableLine(hit.highlight ?? hit.description ?? "");
  const place = printableLine(describePlace(hit.source));
  const details = [place, hit.score?.toFixed(2) ?? "", hit.id, hit.tags.map(printableLine).join(", ")];
  const paragraph = (text: string) => wrap(text, style.columns - indent.length);
  return [
    ...paragraph(style.strong(mark(title))),
    ...(body === "" ? [] : paragraph(mark(body))),
    ...paragraph(details.filter((text) => text !== "").join(" · ")).map(style.faint),
  ]
    .map((line, index) => `${index === 0 ? `${label} ` : indent}${line}`)
    .join("\n");
}

/** Marks the literal text or, after a search by meaning, the words that start with a word of the query. */
function markerOf(query: string, isLiteral: boolean, { match }: Style): (text: string) => string {
  const words = isLiteral ? [query.trim().replace(/\s+/g, " ")] : (query.match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  if (words.length === 0) return (text) => text;
  const alternatives = [...new Set(words)].map(RegExp.escape).join("|");
  const pattern = isLiteral ? alternatives : `(?<![\\p{L}\\p{N}])(?:${alternatives})[\\p{L}\\p{N}]*`;
  const expression = new RegExp(pattern, "giu");
  return (text) => text.replace(expression, match);
}

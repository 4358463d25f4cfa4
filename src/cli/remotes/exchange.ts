// ctxrepo push, pull and sync: exchange records with another server.

import { hostname } from "node:os";
import { Command, Option } from "commander";
import { grants, type Scope } from "../../auth/scopes.ts";
import { systemClock } from "../../kernel/clock.ts";
import { badRequest, Failure } from "../../kernel/errors.ts";
import { FOLLOW_HEADER } from "../../kernel/following.ts";
import type { Remote, Status } from "../../features/console/replies.ts";
import { dataOf } from "../../requests/reply.ts";
import { openLinks } from "../../sync/links.ts";
import type { Direction, Preference } from "../../sync/plan.ts";
import type { Kind } from "../../sync/records.ts";
import type { Action, Line, Report } from "../../sync/report.ts";
import { KINDS, synchronize } from "../../sync/run.ts";
import { openSide } from "../../sync/side.ts";
import { type Client, withClient } from "../client.ts";
import { type ClientCommandOptions, collect, withClientOptions } from "../client-options.ts";
import { abortOnInterrupt } from "../interrupt.ts";
import { countOf, EndedWith, EXIT, print, printJson, printMessage, tableCell } from "../output.ts";
import { printableLine } from "../printable.ts";
import { type Progress, showProgress } from "../progress.ts";
import { identityOf, peerOf, REMOTES, remoteNamed } from "./connect.ts";

interface ExchangeOptions extends ClientCommandOptions {
  collection?: string[];
  tag?: string[];
  dryRun?: boolean;
  delete?: boolean;
  ours?: boolean;
  theirs?: boolean;
  follow?: boolean;
}

const MEANING: Record<Direction, string> = {
  push: "copy what is new or has changed here to another server",
  pull: "copy what is new or has changed on another server to here",
  sync: "exchange what is new or has changed with another server, in both directions",
};

/** The commands push, pull and sync. */
export function exchangeCommands(): Command[] {
  return (["push", "pull", "sync"] as const).map((direction) =>
    withClientOptions(new Command(direction))
      .description(MEANING[direction])
      .argument("<NAME>", "the remote, as it was added with ctxrepo remote add")
      .option("--collection <NAME>", "only this collection and its records; repeatable", collect)
      .option("--tag <TAG>", "only records with this tag; repeatable: with all of them", collect)
      .option("--dry-run", "show what would be done, and change nothing")
      .option("--delete", "let deletions travel: documents are archived first, and deleted by the next run")
      .addOption(
        new Option("--ours", "where both have changed the same, what is here wins").conflicts("theirs"),
      )
      .option("--theirs", "where both have changed the same, what is there wins")
      // For serve --follow: only its own pulls may write to a read-only twin.
      .addOption(new Option("--follow").hideHelp())
      .action(async (name: string, options: ExchangeOptions) => {
        const { signal } = abortOnInterrupt();
        const result = await withClient({ ...options, indexes: true }, (client) =>
          exchange(client, { name, direction, signal }, options),
        );
        printReport(result, options.json === true);
        if (result.counts.conflict + result.counts.failed > 0) throw new EndedWith(EXIT.failed);
      }),
  );
}

type ExchangeResult = Report & { memberships: number; seconds: number };

/** Exchanges records once. Throws the Failure that ended the run; what was done until then is stored. */
async function exchange(
  client: Client,
  { name, direction, signal }: { name: string; direction: Direction; signal: AbortSignal },
  options: Omit<ExchangeOptions, keyof ClientCommandOptions>,
): Promise<ExchangeResult> {
  const remote = await remoteNamed(client, name);
  const peer = peerOf(remote, signal);
  const [here, there] = [await identityOf(client), await identityOf(peer)];
  if (here.userId === there.userId) {
    throw badRequest({ path: "NAME", message: `${name} is this server itself` });
  }
  const kinds = allowedKinds(there.scopes, direction);
  const { records }: Status = dataOf(await client.request("GET", "/console/api/status"));
  const total = records.documents + records.prompts + records.collections;
  const newKey = () => crypto.randomUUID();
  let progress: Progress | undefined;
  const startedAt = systemClock.monotonic();
  const marks = options.follow ? { [FOLLOW_HEADER]: "1" } : undefined;
  const own = openSide(interruptible(client, signal, marks), { changeLog: `synced from ${name}`, newKey });
  const other = openSide(peer, { changeLog: `synced from ${hostname()}`, newKey });
  try {
    const result = await synchronize(
      { own, other, links: openLinks(interruptible(client, signal), remote.id), kinds, total },
      {
        direction,
        prefer: preferenceOf(options),
        deletes: options.delete === true,
        isDryRun: options.dryRun === true,
        tags: options.tag ?? [],
        collections: options.collection ?? [],
        onProgress(done, all) {
          progress ??= showProgress("records", all);
          progress.set(done, all);
        },
      },
    );
    const seconds = (systemClock.monotonic() - startedAt) / 1_000;
    if (!result.isDryRun) await noteEnd(client, remote, { direction, ...summaryOf(result) });
    return { ...result, seconds };
  } catch (error) {
    if (!signal.aborted && error instanceof Failure)
      await noteEnd(client, remote, { direction, failure: error.message.slice(0, 500) });
    throw error;
  } finally {
    progress?.end();
  }
}

/** The requests of a client, which end when the command is interrupted: what is done is stored. */
function interruptible(
  client: Client,
  signal: AbortSignal,
  marks?: Record<string, string>,
): Pick<Client, "request"> {
  return {
    request(method, path, options) {
      signal.throwIfAborted();
      return client.request(
        method,
        path,
        marks ? { ...options, headers: { ...options?.headers, ...marks } } : options,
      );
    },
  };
}

function preferenceOf({ ours, theirs }: Pick<ExchangeOptions, "ours" | "theirs">): Preference {
  return ours ? "ours" : theirs ? "theirs" : undefined;
}

/** The kinds that the key allows to read, and to write if the direction needs that. Throws `forbidden` for none. */
function allowedKinds(scopes: readonly string[], direction: Direction): readonly Kind[] {
  const action = direction === "pull" ? "read" : "write";
  const scopeOf = (kind: Kind): Scope => (kind === "prompt" ? `prompts.${action}` : `documents.${action}`);
  const allowed = KINDS.filter((kind) => grants(scopes, scopeOf(kind)));
  const missing = KINDS.filter((kind) => !allowed.includes(kind));
  if (allowed.length === 0)
    throw new Failure(
      "forbidden",
      `the key of the remote allows neither documents nor prompts (${direction})`,
    );
  if (missing.length > 0)
    printMessage(
      `left out, because the key lacks ${scopeOf(missing[0]!)}: ${missing.map((kind) => `${kind}s`).join(", ")}`,
    );
  return allowed;
}

const summaryOf = ({ counts, unchanged, memberships }: Omit<ExchangeResult, "seconds">) => ({
  ...counts,
  unchanged,
  memberships,
});

async function noteEnd(client: Client, { id }: Remote, result: object): Promise<void> {
  dataOf(await client.request("POST", `${REMOTES}/ended`, { body: { remoteId: id, result } }));
}

const VERBS: Record<Action, string> = {
  created: "created",
  updated: "updated",
  merged: "merged",
  archived: "archived",
  deleted: "deleted",
  paired: "the same on both sides",
  waiting: "left as they are",
  conflict: "in conflict",
  failed: "failed",
};

function printReport(result: ExchangeResult, asJson: boolean): void {
  const { lines, isDryRun, seconds } = result;
  if (asJson) printJson({ ...summaryOf(result), dryRun: isDryRun, seconds, records: lines });
  else {
    const isShown = ({ action }: Line) => isDryRun || action === "conflict" || action === "failed";
    for (const { action, kind, title, side, id, reason } of lines.filter(isShown)) {
      const place = action === "conflict" || action === "failed" || side === "both" ? "" : ` ${side}`;
      const why = reason === undefined ? "" : `: ${printableLine(reason)}`;
      print(`${action}${place}  ${kind} ${id}  ${tableCell(title)}${why}`);
    }
  }
  const { counts, unchanged, memberships } = result;
  const parts = Object.entries(VERBS)
    .filter(([action]) => counts[action as Action] > 0)
    .map(([action, verb]) => `${counts[action as Action].toLocaleString("en")} ${verb}`);
  if (memberships > 0) parts.push(`${countOf(memberships, "change")} of collections`);
  parts.push(`${unchanged.toLocaleString("en")} unchanged`);
  printMessage(`${isDryRun ? "would be: " : ""}${parts.join(", ")} (${seconds.toFixed(1)} s)`);
  if (counts.conflict > 0) {
    printMessage(
      "conflicts: both sides stay as they are. Edit one side to match, or run again with --ours or --theirs",
    );
  }
}

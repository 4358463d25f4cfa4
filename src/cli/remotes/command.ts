// ctxrepo remote: adds, lists, checks and removes other servers, which push, pull and sync exchange records with.

import { Command } from "commander";
import { badRequest, Failure } from "../../kernel/errors.ts";
import { dataOf } from "../../requests/reply.ts";
import { remoteUrl } from "../../sync/address.ts";
import { withClient } from "../client.ts";
import { type ClientCommandOptions, withClientOptions } from "../client-options.ts";
import { abortOnInterrupt } from "../interrupt.ts";
import {
  countOf,
  EndedWith,
  EXIT,
  print,
  printJson,
  printMessage,
  printTable,
  tableCell,
} from "../output.ts";
import { printableLine } from "../printable.ts";
import { checkRemote } from "./check.ts";
import { listRemotes, peerOf, REMOTES, remoteNamed } from "./connect.ts";
import { keyFile, keyFromVariable, removeKey, storeKey } from "./keys.ts";

/** The command with its subcommands. */
export function remoteCommand(): Command {
  const command = new Command("remote").description("manage the other servers of push, pull and sync");
  command.addCommand(
    withClientOptions(new Command("add"))
      .description("remember another server and its key; nothing is sent")
      .argument("<NAME>", "how you call it: letters, digits, . _ -")
      .argument("<URL>", "its https address, such as https://notes.example.org")
      .requiredOption("--key-env <VARIABLE>", "environment variable that contains its API key or token")
      .action(add),
  );
  command.addCommand(
    withClientOptions(new Command("list"))
      .description("list the other servers with the time of the last run and the open conflicts")
      .action(list),
  );
  command.addCommand(
    withClientOptions(new Command("check"))
      .description("connect, and show what the other server and the key can do and its rate limits")
      .argument("<NAME>", "the remote")
      .action(check),
  );
  command.addCommand(
    withClientOptions(new Command("remove"))
      .description("forget another server, its key and which record there is which here; records stay")
      .argument("<NAME>", "the remote")
      .action(remove),
  );
  return command;
}

async function add(
  name: string,
  given: string,
  options: ClientCommandOptions & { keyEnv: string },
): Promise<void> {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) {
    throw badRequest({
      path: "NAME",
      message: "must be 1 to 64 letters, digits, dots, underscores and hyphens",
    });
  }
  const url = remoteUrl(given);
  const key = keyFromVariable(options.keyEnv, process.env);
  await withClient({ ...options, creates: true }, async (client) => {
    const { id } = dataOf(await client.request("PUT", REMOTES, { body: { name, url } }));
    try {
      storeKey(id, key, process.env);
    } catch (error) {
      await client.request("DELETE", REMOTES, { query: { name } });
      throw error;
    }
    if (options.json) printJson({ id, name, url });
    else
      printMessage(
        `added ${name}: its key is in ${keyFile(process.env)}. ctxrepo remote check ${name} connects`,
      );
  });
}

async function list(options: ClientCommandOptions): Promise<void> {
  const remotes = await withClient(options, listRemotes);
  if (options.json) return printJson(remotes);
  const rows = remotes.map(({ name, url, syncedAt, links, conflicts }) => [
    name,
    tableCell(url),
    syncedAt === null ? "never" : new Date(syncedAt).toISOString().slice(0, 16).replace("T", " "),
    links.toLocaleString("en"),
    conflicts.toLocaleString("en"),
  ]);
  printTable(
    ["NAME", "URL", "LAST RUN", "RECORDS", "CONFLICTS"],
    rows,
    "there is no remote: ctxrepo remote add adds one",
  );
}

async function check(name: string, options: ClientCommandOptions): Promise<void> {
  const { signal } = abortOnInterrupt();
  const remote = await withClient(options, (client) => remoteNamed(client, name));
  const found = await checkRemote(peerOf(remote, signal));
  if (options.json) printJson({ name, url: remote.url, ...found });
  else {
    const { identity, version, limits, abilities, problems } = found;
    const perMinute = (limit: number | null) =>
      limit === null ? "not named" : `${limit.toLocaleString("en")}`;
    const rows: [string, string][] = [
      ["url", remote.url],
      ["version", version ?? "not named"],
      ["user", `${identity.name} (${identity.userId})`],
      ["scopes", identity.scopes.join(", ") || "none"],
      ["offers", abilities.join(", ") || "no manifest"],
      ["per minute", `${perMinute(limits.read)} reads, ${perMinute(limits.write)} writes`],
      ...problems.map((problem): [string, string] => ["problem", problem]),
    ];
    for (const [label, value] of rows) print(`${label.padEnd(10)}  ${printableLine(value)}`);
  }
  if (found.problems.length > 0) throw new EndedWith(EXIT.failed);
}

async function remove(name: string, options: ClientCommandOptions): Promise<void> {
  await withClient(options, async (client) => {
    const { id, links } = await remoteNamed(client, name);
    for (let isDeleted = false; !isDeleted; ) {
      const reply = await client.request("DELETE", REMOTES, { query: { name } });
      if (reply.status === 404) throw new Failure("not-found", `${name} was removed by another command`);
      ({ isDeleted } = dataOf(reply));
    }
    removeKey(id, process.env);
    if (options.json) printJson({ name, removed: true });
    else
      printMessage(`forgot ${name} and ${countOf(links, "pair")} of records: the records stay on both sides`);
  });
}

// ctxrepo open: opens the console of the running server in the browser, signed in by a one-time code.

import { Command } from "commander";
import { badRequest, Failure } from "../kernel/errors.ts";
import { dataOf } from "../requests/reply.ts";
import { childEnvironment } from "./child-environment.ts";
import { type Client, withClient } from "./client.ts";
import { type ClientCommandOptions, withClientOptions } from "./client-options.ts";
import { findProcess } from "./local-calls.ts";
import { print, printJson, printMessage } from "./output.ts";
import { NAME_HELP, recordNamed } from "./records/named.ts";

interface OpenOptions extends ClientCommandOptions {
  print?: boolean;
}

const START = "/console/";

export function openCommand(): Command {
  return withClientOptions(new Command("open"))
    .description("open the console in the browser, signed in")
    .argument("[NAME]", `a view, such as /console/ask; or a record: ${NAME_HELP}`, START)
    .option("--print", "print the address instead of opening the browser")
    .action(open);
}

async function open(name: string, options: OpenOptions): Promise<void> {
  const path = name.startsWith(START) ? parsePath(name) : undefined;
  const server = await findProcess(options.dataDir);
  if (!server) throw new Failure("unavailable", "no server is running: start one with `ctxrepo serve`");
  const { view, code, expiresAt } = await withClient(options, async (client) => ({
    view: path ?? (await viewOf(client, name)),
    ...dataOf(await client.request("POST", "/console/api/codes")),
  }));
  const url = new URL(view, server.url);
  // A fragment is not sent to servers, and so is not written into their logs.
  url.hash = `signin=${code}${url.hash === "" ? "" : `&${url.hash.slice(1)}`}`;
  if (options.json) return printJson({ url: url.href, expiresAt });
  if (options.print) return print(url.href);
  if (await startBrowser(url.href)) return printMessage("The console opens in your browser.");
  printMessage("No browser could be started. Open this address within a minute:");
  print(url.href);
}

/** The view of the record with this name. Throws as recordNamed does. */
async function viewOf(client: Client, name: string): Promise<string> {
  const types = ["document", "prompt", "collection"] as const;
  const { type, id } = await recordNamed(client, { argument: "NAME", name, types });
  return `${START}${type}s/${id}`;
}

/** A path of the console with its query and fragment. Throws `bad-request` for any other text. */
function parsePath(text: string): string {
  const url = URL.canParse(text, "http://host") && new URL(text, "http://host");
  if (url && url.host === "host" && url.pathname.startsWith(START))
    return url.pathname + url.search + url.hash;
  throw badRequest({ path: "NAME", message: `is no view: views are below ${START}` });
}

const PROGRAMS: Record<string, (url: string) => string[]> = {
  darwin: (url) => ["open", url],
  win32: (url) => ["rundll32", "url.dll,FileProtocolHandler", url],
};

/** Starts the user's browser. Returns false if there is none. */
async function startBrowser(url: string): Promise<boolean> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const command = PROGRAMS[process.platform]?.(url) ?? ["xdg-open", url];
  if (command[0] === "xdg-open" && !DISPLAY && !WAYLAND_DISPLAY) return false;
  try {
    const started = Bun.spawn(command, {
      stdio: ["ignore", "ignore", "ignore"],
      env: childEnvironment(),
    });
    return (await started.exited) === 0;
  } catch {
    return false;
  }
}

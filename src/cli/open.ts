// ctxrepo open: opens the console of the running server in the browser, signed in by a one-time code.

import { Command } from "commander";
import { badRequest, Failure } from "../kernel/errors.ts";
import { dataOf } from "../requests/reply.ts";
import { childEnvironment } from "./child-environment.ts";
import { withClient } from "./client.ts";
import { type ClientCommandOptions, withClientOptions } from "./client-options.ts";
import { findProcess } from "./local-calls.ts";
import { print, printJson, printMessage } from "./output.ts";

interface OpenOptions extends ClientCommandOptions {
  print?: boolean;
}

const START = "/console/";

export function openCommand(): Command {
  return withClientOptions(new Command("open"))
    .description("open the console in the browser, signed in")
    .argument("[PATH]", "the view to open", START)
    .option("--print", "print the address instead of opening the browser")
    .action(open);
}

async function open(path: string, options: OpenOptions): Promise<void> {
  const view = parsePath(path);
  const server = await findProcess(options.dataDir);
  if (!server) throw new Failure("unavailable", "no server is running: start one with `ctxrepo serve`");
  const { code, expiresAt } = await withClient(options, async (client) =>
    dataOf(await client.request("POST", "/console/api/codes")),
  );
  const url = new URL(view, server.url);
  // A fragment is not sent to servers, and so is not written into their logs.
  url.hash = `signin=${code}${url.hash === "" ? "" : `&${url.hash.slice(1)}`}`;
  if (options.json) return printJson({ url: url.href, expiresAt });
  if (options.print) return print(url.href);
  if (await startBrowser(url.href)) return printMessage("The console opens in your browser.");
  printMessage("No browser could be started. Open this address within a minute:");
  print(url.href);
}

/** A path of the console with its query and fragment. Throws `bad-request` for any other text. */
function parsePath(text: string): string {
  const url = text.startsWith(START) && URL.canParse(text, "http://host") && new URL(text, "http://host");
  if (url && url.host === "host" && url.pathname.startsWith(START))
    return url.pathname + url.search + url.hash;
  throw badRequest({ path: "PATH", message: `must start with ${START}` });
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

// A real browser for tests of the console: the system's Chromium, if there is one. It reaches this machine only, and a
// listener counts the connections to the hosts that hostile contents name: pages must not cause any.

import { afterAll } from "bun:test";
import puppeteer, { type Browser, type BrowserContext, type Page } from "puppeteer-core";
import type { Scope } from "../../src/auth/scopes.ts";
import { type Actions, actionsOf } from "./browser-actions.ts";
import { type Started, type StartOptions, startServer } from "./start.ts";

/** The path of a browser: CHROMIUM_PATH, `chromium` or `google-chrome`; null without one. */
export const CHROMIUM =
  process.env.CHROMIUM_PATH || Bun.which("chromium") || Bun.which("google-chrome") || null;

if (!CHROMIUM) {
  console.warn("The browser tests are skipped: install chromium, or set CHROMIUM_PATH to a browser.");
}

/** A page of the console with what went wrong in it. */
export interface ConsolePage extends Actions {
  page: Page;
  /** Requests to other servers that the page tried to send. */
  foreign: string[];
  /** Errors and violations of the content security policy that the browser reported. */
  errors: string[];
  /** The errors that are not expected, and the requests to other servers. */
  problems(): string[];
  /** Shows a view and waits until nothing is being read. */
  open(path: string): Promise<void>;
  /** Waits until nothing has been read from the server for a moment. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface ConsoleServer extends Started {
  /** The number of connections to hosts of HOSTILE_HOST that the browser has opened. */
  connections(): number;
  /** A new browser profile, signed in as the local owner unless a key is given; it shows `path`. */
  signIn(path?: string, options?: SignInOptions): Promise<ConsolePage>;
}

interface SignInOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  /** As with a key of these scopes; all of them by default. */
  scopes?: readonly Scope[];
}

/** The host that hostile contents try to contact. The browser itself contacts others, which it cannot reach. */
const HOSTILE_HOST = "*.test";
/** Replies that the page handles: signed out, gone, changed by others, a lease is required. */
const EXPECTED = /status of (401|404|412|428)/;
/** How long nothing must have been read. */
const QUIET_MS = 120;
/** Limit of one step in the browser. */
const MAX_WAIT_MS = 60_000;

let browser: Promise<Browser> | undefined;

function launch(canaryPort: number): Promise<Browser> {
  browser ??= puppeteer.launch({
    executablePath: CHROMIUM!,
    timeout: MAX_WAIT_MS,
    args: [
      // The tests run as root in containers, whose kernel does not offer a sandbox to Chromium.
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--no-first-run",
      `--host-resolver-rules=MAP ${HOSTILE_HOST} 127.0.0.1:${canaryPort}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
  });
  return browser;
}

/** A listener to which the names of HOSTILE_HOST lead. */
function openCanary(): { port: number; connections: () => number; stop(): void } {
  let connections = 0;
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        connections++;
        socket.end();
      },
      data() {},
    },
  });
  return { port: listener.port, connections: () => connections, stop: () => listener.stop(true) };
}

/** A server with a socket and a way to sign in to its console, for all tests of a file. */
export function useConsole(options: StartOptions = {}): ConsoleServer {
  const started = startServer({ socket: true, ...options });
  const contexts: BrowserContext[] = [];
  const canary = openCanary();
  afterAll(async () => {
    for (const context of contexts) await context.close().catch(() => {});
    const launched = browser;
    browser = undefined;
    // A browser that cannot be started has failed the tests already.
    await (await launched?.catch(() => {}))?.close();
    canary.stop();
    await started.stop();
  });
  return {
    ...started,
    connections: canary.connections,
    get port() {
      return started.port;
    },
    async signIn(path = "/console/", { width = 1280, height = 900, dark = false, scopes } = {}) {
      const context = await (await launch(canary.port)).createBrowserContext();
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(MAX_WAIT_MS);
      await page.setViewport({ width, height });
      await page.emulateMediaFeatures([
        { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
        { name: "prefers-reduced-motion", value: "reduce" },
      ]);
      const { settled, ...watched } = await watch(page, started.url);
      const { app } = started;
      const [, fragment = ""] = path.split("#");
      const code = app.consoleSessions.createCode({ ...started.owner, ...(scopes && { scopes }) }).code;
      await page.goto(
        `${started.url}${path.split("#")[0]}#signin=${code}${fragment === "" ? "" : `&${fragment}`}`,
      );
      await page.waitForSelector("main h1");
      await settled();
      return {
        page,
        ...watched,
        ...actionsOf(page),
        settled,
        problems: () => [...watched.errors.filter((error) => !EXPECTED.test(error)), ...watched.foreign],
        async open(next) {
          await page.goto(started.url + next);
          await page.waitForSelector("main h1");
          await settled();
        },
        close: () => context.close(),
      };
    },
  };
}

async function watch(page: Page, origin: string) {
  const foreign: string[] = [];
  const errors: string[] = [];
  /**
   * The requests that have not ended, with the document that sent them: the end of those of a left page is not
   * reported.
   */
  const open = new Map<string, { url: string; loaderId: string }>();
  let requests = 0;
  let loaderId = "";
  const network = await page.createCDPSession();
  await network.send("Network.enable");
  await network.send("Page.enable");
  network.on("Network.requestWillBeSent", ({ requestId, request: { url }, loaderId: sentBy }) => {
    // The stream of changes stays open.
    if (url.startsWith(`${origin}/console/api/events`)) return;
    open.set(requestId, { url, loaderId: sentBy });
    requests++;
  });
  network.on("Network.loadingFinished", ({ requestId }) => open.delete(requestId));
  network.on("Network.loadingFailed", ({ requestId }) => open.delete(requestId));
  network.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId === undefined) loaderId = frame.loaderId;
  });
  page.on("request", (request) => {
    const url = request.url();
    // The icon of a date field is a data URL of the browser.
    const own = [`${origin}/`, `blob:${origin}/`, "data:"];
    if (!own.some((start) => url.startsWith(start))) foreign.push(url);
  });
  page.on("response", (response) => {
    if (response.status() >= 500) errors.push(`${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("dialog", (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const waiting = () => [...open.values()].filter((request) => request.loaderId === loaderId);
  const settled = async () => {
    const until = performance.now() + MAX_WAIT_MS;
    for (let seen = -1; seen !== requests || waiting().length > 0; ) {
      if (performance.now() > until) {
        throw new Error(
          `still being read: ${waiting()
            .map(({ url }) => url)
            .join(", ")}`,
        );
      }
      seen = requests;
      // The page waits, because its process may get no processor for a while. A page that is left does not answer.
      await page
        .evaluate((ms) => new Promise((over) => setTimeout(over, ms)), QUIET_MS)
        .catch(() => {
          seen = -1;
        });
    }
  };
  return { foreign, errors, settled };
}

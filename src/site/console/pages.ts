// The pages of the console: one HTML page for every view, which loads the script, and the files of the bundle.

import { readdirSync, readFileSync } from "node:fs";
import { assetPath } from "../../base/assets.ts";
import { type BundledFile, bundleConsole } from "./bundle.ts";
import { notFound } from "../../kernel/errors.ts";

/** The folder of the bundle inside the executable; scripts/build.ts writes it. */
const BUNDLE = "console";
const ASSETS = "/console/assets/";

/** Every view that has a URL of its own. @testOnly */
export const VIEWS = [
  "/console/",
  "/console/ask",
  "/console/documents",
  "/console/documents/:id",
  "/console/documents/:id/versions",
  "/console/prompts",
  "/console/prompts/:id",
  "/console/prompts/:id/versions",
  "/console/collections",
  "/console/collections/:id",
  "/console/add",
  "/console/activity",
  "/console/machines",
  "/console/access",
  "/console/drafts",
  "/console/trash",
  "/console/tags",
  "/console/map",
] as const;

/**
 * The page loads only its own files, and sends requests only to this server. Images are those that a person asked for,
 * which the script fetches through this server. DOMPurify creates the only HTML (Trusted Types).
 */
const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dompurify",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  // Otherwise browsers resolve the host names of links in documents before anyone follows them.
  "X-DNS-Prefetch-Control": "off",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f5d50"/><path d="M9 9h14v3H9zm0 6h10v3H9zm0 6h14v3H9z" fill="#fff"/></svg>`;

interface Bundle {
  page: string;
  /** By name, compressed with gzip. */
  files: Map<string, BundledFile["bytes"]>;
}

type PageReply = { status: number; headers: Record<string, string> } & (
  | { text: string }
  | { bytes: Uint8Array<ArrayBuffer> }
);

/**
 * One handler for each path. The bundle is read or built on first use and kept in memory.
 */
export function consolePages(): Record<string, (request: Request) => Promise<PageReply>> {
  let loaded: Promise<Bundle> | undefined;
  const bundle = () => {
    loaded ??= loadBundle().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  const page = async (): Promise<PageReply> => ({
    status: 200,
    headers: PAGE_HEADERS,
    text: (await bundle()).page,
  });
  const file = async ({ url, headers: sent }: Request): Promise<PageReply> => {
    const name = url.split("?", 1)[0]!.split("/").at(-1)!;
    const bytes = (await bundle()).files.get(name);
    if (bytes === undefined) throw notFound("file of the console");
    const headers = {
      "Content-Type": TYPES[name.split(".").at(-1)!] ?? "text/plain",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
      // The name changes with the content.
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    };
    if (!/\bgzip\b/.test(sent.get("accept-encoding") ?? ""))
      return { status: 200, headers, bytes: Bun.gunzipSync(bytes) };
    return { status: 200, headers: { ...headers, "Content-Encoding": "gzip" }, bytes };
  };
  /** Browsers that open a wrong address get the page, which says so; other clients get the error of the API. */
  const unknown = async ({ headers, url }: Request): Promise<PageReply> => {
    const isPage = /\btext\/html\b/i.test(headers.get("accept") ?? "");
    if (!isPage || new URL(url).pathname.startsWith("/console/api/")) throw notFound("page of the console");
    return { ...(await page()), status: 404 };
  };
  return {
    ...Object.fromEntries(VIEWS.map((view) => [view, page])),
    [`${ASSETS}:name`]: file,
    "/console/*": unknown,
  };
}

async function loadBundle(): Promise<Bundle> {
  const bundled = Bun.isStandaloneExecutable ? readBundle() : await bundleConsole(assetPath("."));
  const files = new Map(bundled.map(({ name, bytes }) => [name, bytes]));
  files.set("icon.svg", Bun.gzipSync(ICON));
  const named = (pattern: RegExp) => [...files.keys()].filter((name) => pattern.test(name));
  const [script] = named(/^main-\w+\.js$/);
  const styles = named(/^main-\w+\.css$/).map((name) => `<link rel="stylesheet" href="${ASSETS}${name}">`);
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>ctxrepo</title>
<link rel="icon" href="${ASSETS}icon.svg">
${styles.join("\n")}
<script type="module" src="${ASSETS}${script}"></script>
</head>
<body><noscript>The console needs JavaScript. The commands of ctxrepo do the same without it.</noscript></body>
</html>
`;
  return { page, files };
}

function readBundle(): BundledFile[] {
  const folder = assetPath(BUNDLE);
  return readdirSync(folder).map((name) => ({
    name,
    bytes: new Uint8Array(readFileSync(`${folder}/${name}`)),
  }));
}

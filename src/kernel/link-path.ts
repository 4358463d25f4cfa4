// Where relative links in files lead. Must run in a browser, too.

/** The path that a relative link in a file leads to; undefined if it leads out of the imported folder. */
export function resolvePath(from: string, link: string): { path: string; anchor: string } | undefined {
  const [written = "", anchor = ""] = link.split("#", 2);
  let decoded = written.split("?", 1)[0]!;
  try {
    decoded = decodeURIComponent(decoded);
  } catch {
    // As it is written.
  }
  const parts = from.split("/").slice(0, -1);
  for (const part of decoded.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return { path: parts.join("/"), anchor };
}

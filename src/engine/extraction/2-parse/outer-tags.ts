// Adds missing html, head and body tags, which the HTML standard allows to omit: linkedom does not add them.

/** What may precede the first element of a page. */
const BEFORE = /^(?:\s+|<!--[\s\S]*?-->|<!doctype[^>]*>)*/i;
/** Elements that belong to a head whose tag is omitted. */
const HEAD =
  /^(?:\s+|<!--[\s\S]*?-->|<(title|style|script|noscript)\b[^>]*>[\s\S]*?<\/\1\s*>|<(?:meta|link|base)\b[^>]*>)*/i;

/** The page with html, head and body start tags. The end tags are removed, so that text after them is in the body. */
export function withOuterTags(html: string): string {
  const page = html.replace(BEFORE, "").replace(/<\/(?:body|html)\s*>/gi, "");
  const written = /^<html(?:\s[^>]*)?>/i.exec(page)?.[0] ?? "";
  const inside = page.slice(written.length);
  const opening = `<!doctype html>${written || "<html>"}`;
  const bodyAt = inside.search(/<body[\s>]/i);
  if (bodyAt >= 0) {
    const before = inside.slice(0, bodyAt);
    const hasHead = /<head[\s>]/i.test(before);
    return `${opening}${hasHead ? before : `<head>${before}</head>`}${inside.slice(bodyAt)}`;
  }
  const head = /^\s*<head[\s>][\s\S]*?<\/head\s*>/i.exec(inside)?.[0];
  if (head !== undefined) return `${opening}${head}<body>${inside.slice(head.length)}`;
  const content = inside.replace(/^\s*<head(?:\s[^>]*)?>/i, "");
  const leading = HEAD.exec(content)?.[0] ?? "";
  return `${opening}<head>${leading}</head><body>${content.slice(leading.length)}`;
}

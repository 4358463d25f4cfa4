// Makes HTML of documents harmless: an allow-list of elements and attributes, no style, no ids, no forms, no embedded
// content. Images are not loaded, but become buttons. Everything that is shown as HTML passes through here.

import createPurifier, { type Config } from "dompurify";

const TAGS =
  "a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 " +
  "h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th thead " +
  "time tr u ul var wbr";
const ATTRIBUTES = "alt class colspan datetime dir href lang open reversed rowspan src start title";

const CONFIG: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: TAGS.split(" "),
  ALLOWED_ATTR: ATTRIBUTES.split(" "),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // Further down, only http, https and mailto remain as addresses; data: images are shown on request.
  ALLOWED_URI_REGEXP: /^(?!\/\/)(?:https?:|mailto:|data:image\/|[^:]*$|[^:/?#]*[/?#])/i,
  // The nodes belong to an inert document, in which nothing is loaded, until they are put into the page.
  RETURN_DOM_FRAGMENT: true,
};

/** The purifier of a window; tests pass another one. */
export type Purify = (html: string) => DocumentFragment;

/** Creates the function that makes HTML harmless. */
export function createSanitiser(window: Parameters<typeof createPurifier>[0]): Purify {
  const purifier = createPurifier(window);
  return (html) => {
    // Null for a text without a body, such as a frameset.
    const purified: DocumentFragment | null = purifier.sanitize(html, CONFIG);
    const fragment = purified ?? new DocumentFragment();
    for (const element of fragment.querySelectorAll("[class]")) restrictClass(element);
    for (const link of fragment.querySelectorAll("a")) restrictLink(link);
    for (const image of fragment.querySelectorAll("img")) image.replaceWith(placeholderOf(image));
    // Wide content scrolls by itself, also with the keyboard.
    for (const block of fragment.querySelectorAll("pre, table")) block.setAttribute("tabindex", "0");
    return fragment;
  };
}

/** How many units of HTML are made harmless at once. */
const BATCH_UNITS = 200_000;

/** HTML of one block; `hasHtml` if the document itself contains HTML there, whose tags may not be balanced. */
interface BlockHtml {
  html: string;
  hasHtml: boolean;
}

/** The contents of several blocks, many at once: each call of the purifier takes longer than a small block. */
export function purifyBlocks(purify: Purify, blocks: readonly BlockHtml[]): DocumentFragment[] {
  const fragments: DocumentFragment[] = [];
  for (let at = 0; at < blocks.length; ) {
    const batch: string[] = [];
    for (let units = 0; at < blocks.length && units < BATCH_UNITS && !blocks[at]!.hasHtml; at++) {
      batch.push(blocks[at]!.html);
      units += blocks[at]!.html.length;
    }
    if (batch.length === 0) batch.push(blocks[at++]!.html);
    fragments.push(...(atOnce(purify, batch) ?? batch.map(purify)));
  }
  return fragments;
}

/** Undefined if the ends of the blocks cannot be found again. */
function atOnce(purify: Purify, htmls: readonly string[]): DocumentFragment[] | undefined {
  if (htmls.length < 2) return undefined;
  const together = purify(htmls.map((html) => `<div>${html}</div>`).join(""));
  const parts = [...together.childNodes];
  if (parts.length !== htmls.length || parts.some((part) => part.nodeName !== "DIV")) return undefined;
  return parts.map((part) => {
    const fragment = part.ownerDocument!.createDocumentFragment();
    fragment.append(...part.childNodes);
    return fragment;
  });
}

/** The classes that our own extensions of Markdown use, the names of languages, and the kinds of words in code. */
const CLASSES =
  /^(alert|alert-(note|tip|important|warning|caution)|align-(left|center|right)|footnote|(language|hljs)-[\w+#-]{1,30})$/;

function restrictClass(element: Element): void {
  const kept = [...element.classList].filter((name) => CLASSES.test(name));
  if (kept.length > 0) element.className = kept.join(" ");
  else element.removeAttribute("class");
}

/**
 * Only absolute links to web pages and mail addresses can be followed, in another tab that does not know this one.
 * Where other links lead is kept as data, for those who can find it in the console.
 */
function restrictLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute("href") ?? "";
  if (/^#cite-\d+$/.test(href)) return;
  if (/^(https?:\/\/|mailto:)/i.test(href)) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noopener noreferrer nofollow");
    return;
  }
  link.removeAttribute("href");
  if (href !== "" && !/^[a-z][a-z\d+.-]*:/i.test(href)) link.setAttribute("data-to", href);
}

/** A button that shows where an image is; the page fetches the image when it is pressed. */
function placeholderOf(image: HTMLImageElement): HTMLElement {
  const { ownerDocument } = image;
  const source = image.getAttribute("src") ?? "";
  const description = image.getAttribute("alt")?.trim() || "image";
  if (!/^(https?:\/\/|data:image\/)/i.test(source)) return named(ownerDocument, `[${description}]`);
  const host = source.startsWith("data:") ? "in the document" : hostOf(source);
  // A link must not contain a button, so an image that is the text of a link is only named.
  if (image.closest("a, summary")) return named(ownerDocument, `[${description}, ${host}]`);
  const button = ownerDocument.createElement("button");
  button.type = "button";
  button.className = "image-button";
  button.setAttribute("data-image", source);
  button.textContent = `Show image: ${description} (${host})`;
  return button;
}

function named(document: Document, text: string): HTMLElement {
  const span = document.createElement("span");
  span.className = "image-missing";
  span.textContent = text;
  return span;
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "unknown host";
}

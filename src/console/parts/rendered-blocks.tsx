// Rendered Markdown. A part of it can be marked, and its images are loaded one by one when they are asked for. When the
// text changes, only the changed blocks are parsed, made harmless and replaced.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { messageOf, write } from "../api/request.ts";
import { notify } from "../frame/notices.tsx";
import { MAX_RENDERED_UNITS } from "../text/limits.ts";
import { type Block, createBlockReader } from "../text/markdown.ts";
import { createSanitiser, purifyBlocks } from "../text/sanitise.ts";
import { createAnchors } from "../text/markdown-extensions.ts";
import { colourCode } from "./code-colours.ts";
import { type LinkOrigin, resolveLinks } from "./document-links.ts";
import { followFootnote, linkFootnotes } from "./footnotes.ts";
import { Source } from "./source.tsx";

const purify = createSanitiser(window);

export interface Range {
  /** Offsets in the source; `end` is exclusive. */
  start: number;
  end: number;
}

/** A heading of the text, with the anchor that links to it. */
export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

export interface RenderedProps {
  text: string;
  marked?: Range;
  /** What the citations of an answer link to; their ids and the addresses of their chunks. */
  /** The document that the text belongs to: its links are resolved. */
  origin?: LinkOrigin;
  /** The anchor of the heading to show. */
  anchor?: string;
  /** Called with the headings of the text. */
  onHeadings?(headings: readonly Heading[]): void;
  citations?: readonly { id: string; href: string; title: string }[];
}

/** The elements of the blocks that are shown, and what they were made from. */
interface Shown {
  blocks: Block[];
  elements: HTMLElement[];
}

export function RenderedBlocks({ text, marked, citations, origin, anchor, onHeadings }: RenderedProps) {
  const container = useRef<HTMLDivElement>(null);
  const isTooLong = text.length > MAX_RENDERED_UNITS;
  const cited = citations?.map(({ id }) => id);
  const [readBlocks] = useState(createBlockReader);
  const blocks = useMemo(() => (isTooLong ? [] : readBlocks(text, cited)), [text, isTooLong, cited?.join()]);
  const shown = useRef<Shown>({ blocks: [], elements: [] });

  useLayoutEffect(() => {
    shown.current = { blocks: [], elements: [] };
    container.current?.replaceChildren();
  }, [citations]);

  useLayoutEffect(() => {
    if (container.current) {
      shown.current = showBlocks(container.current, { blocks, before: shown.current }, citations ?? []);
    }
  }, [blocks, citations]);

  useEffect(() => {
    const { current } = container;
    if (!current) return;
    if (origin) {
      resolveLinks(current, origin).catch((error) =>
        notify(`Links to other documents cannot be resolved: ${messageOf(error)}`, { kind: "failed" }),
      );
    }
    onHeadings?.(headingsIn(current).map(({ element: _, ...heading }) => heading));
  }, [blocks, origin?.href]);

  useEffect(() => {
    const stopping = new AbortController();
    if (container.current) {
      colourCode(container.current, purify, stopping.signal).catch(() => {
        // Without colours, the code is there.
      });
    }
    return () => stopping.abort();
  }, [blocks]);

  useEffect(() => {
    if (!anchor || !container.current) return;
    const found = headingsIn(container.current).find((heading) => heading.anchor === anchor);
    found?.element.scrollIntoView({ block: "start" });
  }, [blocks, anchor]);

  const hadMark = useRef(false);
  useEffect(() => {
    const { elements } = shown.current;
    if (hadMark.current) for (const element of elements) element.classList.remove("marked");
    hadMark.current = marked !== undefined;
    if (!marked) return;
    const isMarked = ({ start, end }: Range) => start < marked.end && end > marked.start;
    const found = blocks.flatMap((block, index) => (isMarked(block) ? (elements[index] ?? []) : []));
    for (const element of found) element.classList.add("marked");
    found[0]?.scrollIntoView({ block: found.length > 3 ? "start" : "center" });
  }, [blocks, marked?.start, marked?.end]);

  useEffect(() => {
    const { current } = container;
    // Keys press the buttons of images, too, which causes a click.
    for (const act of [showImage, copyCode, followFootnote]) current?.addEventListener("click", act);
    return () => {
      for (const act of [showImage, copyCode, followFootnote]) current?.removeEventListener("click", act);
    };
  }, []);

  if (isTooLong) {
    return (
      <>
        <p class="quiet">This text is too long to be rendered. It is shown as it is stored.</p>
        <Source text={text} label="The text" />
      </>
    );
  }
  return <div class="rendered" dir="auto" ref={container} />;
}

/** Replaces the blocks that have changed, and returns what is shown now. */
function showBlocks(
  container: HTMLElement,
  { blocks, before }: { blocks: Block[]; before: Shown },
  citations: NonNullable<RenderedProps["citations"]>,
): Shown {
  const shorter = Math.min(blocks.length, before.blocks.length);
  let head = 0;
  while (head < shorter && blocks[head]!.html === before.blocks[head]!.html) head++;
  let tail = 0;
  while (tail < shorter - head && blocks.at(-1 - tail)!.html === before.blocks.at(-1 - tail)!.html) tail++;
  const added = purifyBlocks(purify, blocks.slice(head, blocks.length - tail)).map((content) => {
    const element = document.createElement("div");
    element.className = "block";
    element.append(content);
    for (const link of element.querySelectorAll("a")) linkCitation(link, citations);
    for (const code of element.querySelectorAll("pre")) addCopyButton(code);
    linkFootnotes(element);
    return element;
  });
  const end = before.elements.length - tail;
  for (const element of before.elements.slice(head, end)) removeBlock(element);
  const elements = [...before.elements.slice(0, head), ...added, ...before.elements.slice(end)];
  const [previous, next] = [before.elements[head - 1], before.elements[end]];
  const group = (previous ?? next)?.parentElement;
  if (group && group.childElementCount + added.length <= MAX_GROUP) {
    if (previous) previous.after(...added);
    else next?.before(...added);
  } else if (added.length > 0) container.replaceChildren(...groupsOf(elements));
  return { blocks, elements };
}

/** Blocks are in groups, because browsers decide for each group whether it is visible and has to be laid out. */
const NEW_GROUP = 64;
const MAX_GROUP = 256;

function groupsOf(elements: readonly HTMLElement[]): HTMLElement[] {
  const groups: HTMLElement[] = [];
  for (let at = 0; at < elements.length; at += NEW_GROUP) {
    const group = document.createElement("div");
    group.className = "blocks";
    group.append(...elements.slice(at, at + NEW_GROUP));
    groups.push(group);
  }
  return groups;
}

function removeBlock(element: HTMLElement): void {
  const group = element.parentElement;
  element.remove();
  if (group?.childElementCount === 0) group.remove();
}

function headingsIn(container: Element): (Heading & { element: Element })[] {
  const anchorOf = createAnchors();
  return [...container.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((element) => {
    const text = element.textContent ?? "";
    return { element, level: Number(element.localName.slice(1)), text, anchor: anchorOf(text) };
  });
}

/** A button that copies the code of a block. */
function addCopyButton(code: Element): void {
  const frame = document.createElement("div");
  frame.className = "code-block";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-code";
  button.textContent = "Copy";
  code.replaceWith(frame);
  frame.append(code, button);
}

async function copyCode({ target }: Event): Promise<void> {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>("button.copy-code") : null;
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.parentElement?.querySelector("pre")?.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  } catch {
    notify("The browser does not allow copying: select the text and copy it.", { kind: "failed" });
  }
}

function linkCitation(link: HTMLAnchorElement, citations: NonNullable<RenderedProps["citations"]>): void {
  const [, position] = /^#cite-(\d+)$/.exec(link.getAttribute("href") ?? "") ?? [];
  if (position === undefined) return;
  const citation = citations[Number(position)];
  if (!citation) {
    link.removeAttribute("href");
    return;
  }
  link.href = citation.href;
  link.title = citation.title;
  link.className = "citation";
}

/** Replaces the button of an image by the image, fetched through the server. */
async function showImage({ target }: Event): Promise<void> {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>("button[data-image]") : null;
  const source = button?.dataset.image;
  if (!button || source === undefined) return;
  button.disabled = true;
  try {
    const image = document.createElement("img");
    image.alt = button.textContent?.replace(/^Show image: /, "") ?? "";
    image.src = URL.createObjectURL(await loadImage(source));
    await image.decode();
    button.replaceWith(image);
  } catch (error) {
    button.disabled = false;
    notify(`The image cannot be shown: ${messageOf(error)}`, { kind: "failed" });
  }
}

async function loadImage(source: string): Promise<Blob> {
  const [, dataType, data] = /^data:(image\/(?:png|jpeg|gif|webp|avif));base64,(.*)$/is.exec(source) ?? [];
  if (dataType !== undefined && data !== undefined) return blobOf(dataType, data);
  const image = await write<{ type: string; base64: string }>("POST", "/console/api/image", {
    body: { url: source },
  });
  return blobOf(image.type, image.base64);
}

function blobOf(type: string, base64: string): Blob {
  return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type });
}

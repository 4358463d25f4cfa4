// A text shown as rendered Markdown. A part of it can be marked, and its images are loaded one by one when they are
// asked for.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { messageOf, write } from "../api/request.ts";
import { notify } from "../frame/notices.tsx";
import { MAX_RENDERED_UNITS, renderBlocks } from "../text/markdown.ts";
import { createSanitiser } from "../text/sanitise.ts";
import { Source } from "./source.tsx";

const purify = createSanitiser(window);

export interface Range {
  /** Offsets in the source; `end` is exclusive. */
  start: number;
  end: number;
}

interface RenderedProps {
  text: string;
  marked?: Range;
  /** What the citations of an answer link to; their ids and the addresses of their chunks. */
  citations?: readonly { id: string; href: string; title: string }[];
}

export function Rendered({ text, marked, citations }: RenderedProps) {
  const container = useRef<HTMLDivElement>(null);
  const isTooLong = text.length > MAX_RENDERED_UNITS;
  const cited = citations?.map(({ id }) => id);
  const blocks = useMemo(
    () => (isTooLong ? [] : renderBlocks(text, cited)),
    [text, isTooLong, cited?.join()],
  );

  useEffect(() => {
    const elements = blocks.map(({ html }) => {
      const element = document.createElement("div");
      element.className = "block";
      element.append(purify(html));
      for (const link of element.querySelectorAll("a")) linkCitation(link, citations ?? []);
      return element;
    });
    container.current?.replaceChildren(...elements);
  }, [blocks, citations]);

  useEffect(() => {
    const elements = container.current?.children ?? [];
    for (const element of elements) element.classList.remove("marked");
    if (!marked) return;
    const isMarked = ({ start, end }: Range) => start < marked.end && end > marked.start;
    const found = blocks.flatMap((block, index) => (isMarked(block) ? (elements[index] ?? []) : []));
    for (const element of found) element.classList.add("marked");
    found[0]?.scrollIntoView({ block: found.length > 3 ? "start" : "center" });
  }, [blocks, marked?.start, marked?.end]);

  useEffect(() => {
    const { current } = container;
    // Keys press the buttons of images, too, which causes a click.
    current?.addEventListener("click", showImage);
    return () => current?.removeEventListener("click", showImage);
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

// The frame of a view: its title, its main actions, and the states that every view has.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { takeArrival } from "../frame/location.ts";

interface PageProps {
  title: string;
  /** Buttons and links beside the title. */
  actions?: ComponentChildren;
  children: ComponentChildren;
  /** Hides the title visually, where the first control says what the view is. */
  isTitleHidden?: boolean;
}

/** One view with its heading. */
export function Page({ title, actions, children, isTitleHidden = false }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ctxrepo`;
  }, [title]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Where a link led: the keyboard continues there, and screen readers say where that is.
    if (takeArrival() && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <header class={isTitleHidden ? "hidden" : "page-head"}>
        <h1 dir="auto" tabIndex={-1} ref={heading} title={title}>
          {title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** What an empty view says: what it is for and what to do first. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What went wrong, with a way to try again. */
export function Problem({ text, retry }: { text: string | undefined; retry?: () => void }) {
  if (text === undefined) return null;
  return (
    <p class="problem" role="alert">
      <span>{text}</span>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </p>
  );
}

/** Shown while something is read for the first time; it appears only if that takes long. */
export function Waiting({ what = "Loading" }: { what?: string }) {
  return (
    <p class="waiting" role="status">
      {what}…
    </p>
  );
}

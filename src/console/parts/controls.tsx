// Small controls that several views use.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { notify } from "../frame/notices.tsx";
import { ago, dateTime } from "../text/format.ts";

const minute = signal(0);
setInterval(() => {
  minute.value++;
}, 30_000);

/** A labelled control. */
export function Field({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string;
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child
    <label class="field">
      <span>{label}</span>
      {children}
      {hint && <small>{hint}</small>}
    </label>
  );
}

/** A time that is shown relative to now, with the exact one as its title. */
export function Time({ at }: { at: number }) {
  // Shown anew from time to time.
  minute.value;
  return (
    <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
      {ago(at)}
    </time>
  );
}

const FIRST_TAGS = 8;

/** Tags as links to what has them; of many, the first ones until the person wants all. */
export function Tags({ tags, base }: { tags: readonly string[]; base?: string }) {
  const [isAll, setAll] = useState(false);
  if (tags.length === 0) return null;
  const shown = isAll || tags.length <= FIRST_TAGS + 1 ? tags : tags.slice(0, FIRST_TAGS);
  return (
    <span class="tags">
      {shown.map((tag) =>
        base === undefined ? (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ) : (
          <a class="tag" key={tag} href={`${base}?tags=${encodeURIComponent(tag)}`}>
            {tag}
          </a>
        ),
      )}
      {shown.length < tags.length && (
        <button type="button" class="tag" onClick={() => setAll(true)}>
          {tags.length - shown.length} more
        </button>
      )}
    </span>
  );
}

/** A button that copies a text. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      notify("The browser does not allow copying: select the text and copy it.", { kind: "failed" });
    }
  };
  return (
    <button type="button" onClick={copy}>
      {isCopied ? "Copied" : label}
    </button>
  );
}

interface ConfirmButtonProps {
  label: string;
  /** What the button says after the first press. */
  confirmation: string;
  /** For screen readers, if the label alone does not say what is meant. */
  ariaLabel?: string;
  onConfirm(): void;
}

/** A button for what cannot be undone: it asks once more, and goes back when it loses the focus. */
export function ConfirmButton({ label, confirmation, ariaLabel, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <button
      type="button"
      class="small danger"
      aria-label={isAsking ? confirmation : ariaLabel}
      onBlur={() => setAsking(false)}
      onClick={() => {
        if (isAsking) onConfirm();
        setAsking(!isAsking);
      }}
    >
      {isAsking ? confirmation : label}
    </button>
  );
}

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
}

/** A modal dialog; Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Otherwise the first button would have it.
    dialog.current?.querySelector<HTMLElement>("input, textarea, select")?.focus();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <header class="page-head">
        <h2 id="dialog-title">{title}</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** A switch between a few values. */
export function Choice<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly (readonly [value: Value, text: string])[];
  value: Value;
  onChange(value: Value): void;
}) {
  return (
    <fieldset class="choice">
      <legend class="hidden">{label}</legend>
      {options.map(([option, text]) => (
        <label key={option}>
          <input type="radio" name={label} checked={option === value} onChange={() => onChange(option)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

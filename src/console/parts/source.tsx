// A text as it is stored: not rendered, and scrolled by itself, also with the keyboard.

interface SourceProps {
  text: string | undefined;
  label: string;
}

export function Source({ text, label }: SourceProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable with the keyboard
    <section class="source" tabIndex={0} aria-label={label}>
      <pre dir="auto">{text}</pre>
    </section>
  );
}

// A field for a long text. Its editor is loaded when the first one is shown.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { messageOf } from "../api/request.ts";
import { notify } from "../frame/notices.tsx";
import type { CodeEditor } from "./code-editor.ts";
import { MAX_EDITED_UNITS } from "../text/limits.ts";
import { Problem } from "./page.tsx";

interface TextEditorProps {
  label: string;
  hint?: string;
  value: string;
  isMarkdown?: boolean;
  onChange(text: string): void;
}

export function TextEditor({ label, hint, value, isMarkdown = false, onChange }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  /** What was typed and is not rendered yet: the text before the editor's own last one is not a change by others. */
  const typed = useRef<string[]>([]);
  const latest = useRef(onChange);
  latest.current = onChange;
  const latestValue = useRef(value);
  latestValue.current = value;
  const [problem, setProblem] = useState<string | undefined>();
  const labelId = useId();

  useEffect(() => {
    let isWanted = true;
    import("./code-editor.ts").then(
      ({ openEditor }) => {
        if (!isWanted || !host.current) return;
        editor.current = openEditor({
          host: host.current,
          text: latestValue.current,
          label,
          isMarkdown,
          changed(text) {
            typed.current.push(text);
            latest.current(text);
          },
          refused: (units) =>
            notify(
              `That would be ${units.toLocaleString("en")} characters. Texts of up to ${MAX_EDITED_UNITS.toLocaleString("en")} can be edited here; import longer ones as a file.`,
              { kind: "failed" },
            ),
        });
      },
      (error) => isWanted && setProblem(`The editor cannot be loaded: ${messageOf(error)}`),
    );
    return () => {
      isWanted = false;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, []);

  useEffect(() => {
    const at = typed.current.indexOf(value);
    typed.current.splice(0, at + 1);
    if (at < 0) editor.current?.replace(value);
  }, [value]);

  return (
    <div class="field">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard reaches the editor itself */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as a label does */}
      <span id={labelId} onClick={() => editor.current?.focus()}>
        {label}
      </span>
      <div class="text-editor" ref={host} data-label={label} />
      {hint && <small>{hint}</small>}
      <Problem text={problem} />
    </div>
  );
}

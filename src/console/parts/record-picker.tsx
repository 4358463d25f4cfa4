// A dialog to choose several documents or prompts.

import { useState } from "preact/hooks";
import { messageOf } from "../api/request.ts";
import { plural } from "../text/format.ts";
import { Choice, Dialog, Field } from "./controls.tsx";
import { usePages } from "./load.ts";
import { Problem } from "./page.tsx";

interface RecordPickerProps {
  title: string;
  close(): void;
  /** Throws if that fails. */
  add(type: "document" | "prompt", ids: string[]): Promise<void>;
}

export function RecordPicker({ title, close, add }: RecordPickerProps) {
  const [type, setType] = useState<"document" | "prompt">("document");
  const [words, setWords] = useState("");
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | undefined>();
  const list = usePages<{ id: string; title: string }>(`/v1/${type}s`, { limit: 50, search: words });
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      await add(type, [...selected]);
      close();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const toggle = (id: string) =>
    setSelected(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]);
  return (
    <Dialog title={title} onClose={close}>
      <form onSubmit={submit}>
        <Choice
          label="Kind of items"
          options={[
            ["document", "Documents"],
            ["prompt", "Prompts"],
          ]}
          value={type}
          onChange={(next) => {
            setType(next);
            setSelected([]);
          }}
        />
        <Field label="Title contains">
          <input type="search" value={words} onInput={({ currentTarget: { value } }) => setWords(value)} />
        </Field>
        <ul class="plain picker">
          {list.items.map((item) => (
            <li key={item.id}>
              <label>
                <input
                  type="checkbox"
                  checked={selected.includes(item.id)}
                  onChange={() => toggle(item.id)}
                />
                <span dir="auto">{item.title}</span>
              </label>
            </li>
          ))}
          {list.hasMore && (
            <li>
              <button type="button" class="small" onClick={list.loadMore}>
                Show more
              </button>
            </li>
          )}
        </ul>
        {list.items.length === 0 && !list.isLoading && <p class="quiet">None found.</p>}
        <Problem text={problem ?? list.problem} />
        <button type="submit" class="primary" disabled={selected.length === 0}>
          Add {selected.length > 0 && plural(selected.length, type)}
        </button>
      </form>
    </Dialog>
  );
}

// A field for tags, separated by commas. The browser offers the known tags for the last one.

import { useId, useState } from "preact/hooks";
import type { TagCount } from "../../features/console/replies.ts";
import { may } from "../api/session.ts";
import { useRead } from "./load.ts";

interface TagsInputProps {
  value: string;
  /** Called with each letter, or only when the field is left. */
  when?: "input" | "change";
  onChange(value: string): void;
}

const MAX_OFFERED = 50;

export function TagsInput({ value, when = "input", onChange }: TagsInputProps) {
  const list = useId();
  const [typed, setTyped] = useState<string | undefined>();
  return (
    <>
      <input
        value={value}
        list={list}
        autocomplete="off"
        onFocus={({ currentTarget }) => setTyped(currentTarget.value)}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          if (when === "input") onChange(currentTarget.value);
        }}
        onChange={({ currentTarget }) => when === "change" && onChange(currentTarget.value)}
      />
      {typed !== undefined && may("documents.read") && <Offered id={list} typed={typed} />}
    </>
  );
}

/** Read when a field has been entered. */
function Offered({ id, typed }: { id: string; typed: string }) {
  const tags = useRead<TagCount[]>("/console/api/tags");
  const start = typed.slice(0, typed.lastIndexOf(",") + 1);
  const last = typed.slice(start.length).trim().toLowerCase();
  const taken = start.split(",").map((tag) => tag.trim());
  const offered = (tags.value ?? [])
    .filter(({ tag }) => tag.toLowerCase().includes(last) && !taken.includes(tag) && !tag.includes(","))
    .slice(0, MAX_OFFERED);
  return (
    <datalist id={id}>
      {offered.map(({ tag, count }) => (
        <option key={tag} value={`${start}${start === "" ? "" : " "}${tag}`} label={`${tag} (${count})`} />
      ))}
    </datalist>
  );
}

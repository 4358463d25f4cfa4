// The view Tags: all of them with the number of their records; renaming, merging and removing.

import { useState } from "preact/hooks";
import { walk } from "../../requests/walk.ts";
import type { TagCount } from "../../features/console/replies.ts";
import { clientOf } from "../api/client.ts";
import { messageOf } from "../api/request.ts";
import { may } from "../api/session.ts";
import { notify } from "../frame/notices.tsx";
import { Dialog, Field } from "../parts/controls.tsx";
import { changesOf, useRead } from "../parts/load.ts";
import { Empty, Page, Problem, Waiting } from "../parts/page.tsx";
import { retag, type TagChange } from "../parts/retag.ts";
import { useSubmit } from "../parts/submit.ts";
import { parseTags, plural } from "../text/format.ts";

export function TagsView() {
  const tags = useRead<TagCount[]>("/console/api/tags", {
    concerns: changesOf(["document", "prompt"]),
    gatherMs: 2_000,
  });
  const [wanted, setWanted] = useState("");
  const [changed, setChanged] = useState<TagCount | undefined>();
  const shown = (tags.value ?? []).filter(({ tag }) => tag.toLowerCase().includes(wanted.toLowerCase()));
  const canWrite = may("documents.write") || may("prompts.write");
  return (
    <Page title="Tags" actions={tags.value && <span class="quiet">{plural(tags.value.length, "tag")}</span>}>
      <search class="fields">
        <Field label="Tag contains">
          <input type="search" value={wanted} onInput={({ currentTarget: { value } }) => setWanted(value)} />
        </Field>
      </search>
      <Problem text={tags.problem} retry={tags.reload} />
      {!tags.value && tags.problem === undefined && <Waiting />}
      {tags.value?.length === 0 && (
        <Empty title="No tags yet">
          <p>
            Tags are set where a text is edited, or for several <a href="/console/documents">documents</a> at
            once.
          </p>
        </Empty>
      )}
      <ul class="plain tag-list" aria-label="Tags">
        {shown.map((counted) => (
          <li key={counted.tag}>
            <a href={`/console/documents?tags=${encodeURIComponent(counted.tag)}`} dir="auto">
              {counted.tag}
            </a>
            <small class="quiet">{counted.count.toLocaleString("en")}</small>
            {canWrite && (
              <button
                type="button"
                class="small"
                aria-label={`Change ${counted.tag}`}
                onClick={() => setChanged(counted)}
              >
                Change
              </button>
            )}
          </li>
        ))}
      </ul>
      {changed && tags.value && (
        <TagDialog
          counted={changed}
          others={tags.value}
          close={() => {
            setChanged(undefined);
            tags.reload();
          }}
        />
      )}
    </Page>
  );
}

interface TagDialogProps {
  counted: TagCount;
  others: readonly TagCount[];
  close(): void;
}

function TagDialog({ counted: { tag, count }, others, close }: TagDialogProps) {
  const [name, setName] = useState(tag);
  const [done, setDone] = useState(0);
  const [next = ""] = parseTags(name);
  const other = others.find((one) => one.tag === next && next !== tag);
  const { isSending, submit } = useSubmit(async () => {
    try {
      const total = await changeTag(tag, next, setDone);
      notify(`${plural(total, "record")} changed.`);
      close();
    } catch (error) {
      notify(`Not all records were changed: ${messageOf(error)}`, { kind: "failed" });
    }
  }, next);
  const action = next === "" ? "Remove the tag" : other ? `Merge into ${next}` : "Rename";
  return (
    <Dialog title={`Tag ${tag}`} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Name"
          hint={
            other
              ? `${plural(other.count, "record")} have this tag already.`
              : "The name of another tag merges both; empty removes it."
          }
        >
          <input
            list="all-tags"
            dir="auto"
            value={name}
            onInput={({ currentTarget: { value } }) => setName(value)}
          />
        </Field>
        <datalist id="all-tags">
          {others.map((one) => (
            <option key={one.tag} value={one.tag} />
          ))}
        </datalist>
        <p class="quiet" role="status">
          {isSending
            ? `${done} of about ${plural(count, "record")}…`
            : "Each record gets a new version, also archived ones."}
        </p>
        <button
          type="submit"
          class={next === "" ? "danger" : "primary"}
          disabled={isSending || next === tag || name.includes(",")}
        >
          {action}
        </button>
      </form>
    </Dialog>
  );
}

/** Replaces a tag by another one, or removes it if `next` is "". Returns the number of changed records. */
async function changeTag(tag: string, next: string, step: (done: number) => void): Promise<number> {
  const client = clientOf(new AbortController().signal);
  const replaced: TagChange = (tags) => [
    ...new Set(tags.flatMap((one) => (one !== tag ? [one] : next === "" ? [] : [next]))),
  ];
  let done = 0;
  for (const type of ["document", "prompt"] as const) {
    if (!may(`${type}s.write`)) continue;
    // Changed records leave the list, so it is read to its end first.
    const ids: string[] = [];
    const query = { tags: tag, includeArchived: type === "document" ? true : undefined };
    for await (const { id } of walk(client, `/v1/${type}s`, { query })) ids.push(id);
    for (const id of ids) {
      await retag(type, id, replaced);
      step(++done);
    }
  }
  return done;
}

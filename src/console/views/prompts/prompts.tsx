// The view Prompts: the list.

import type { ListedPrompt } from "../../api/openapi.d.ts";
import { may } from "../../api/session.ts";
import { deletedIds } from "../../frame/deletions.ts";
import { here, setParameters } from "../../frame/location.ts";
import { Field, Tags, Time } from "../../parts/controls.tsx";
import { usePages } from "../../parts/load.ts";
import { Empty, Page, Problem, Waiting } from "../../parts/page.tsx";
import { WindowedList } from "../../parts/windowed-list.tsx";
import { parseTags } from "../../text/format.ts";
import { EXAMPLE_PLACEHOLDER } from "../../text/placeholders.ts";

const ROW_HEIGHT = 84;

export function PromptsView() {
  const text = (name: string) => here.value.searchParams.get(name) ?? "";
  const query = { limit: 100, q: text("title"), tags: text("tags") };
  const list = usePages<ListedPrompt>("/v1/prompts", query);
  const items = list.items.filter(({ id }) => !deletedIds.value.has(id));
  const isFiltered = query.q !== "" || query.tags !== "";
  return (
    <Page
      title="Prompts"
      actions={
        may("prompts.write") && (
          <a class="button" href="/console/add?what=prompt">
            New prompt
          </a>
        )
      }
    >
      <search class="fields">
        <Field label="Title or description contains">
          <input
            type="search"
            value={query.q}
            onInput={({ currentTarget: { value } }) => setParameters({ title: value })}
          />
        </Field>
        <Field label="Tags">
          <input
            value={query.tags}
            onChange={({ currentTarget: { value } }) => setParameters({ tags: parseTags(value).join(",") })}
          />
        </Field>
      </search>
      <Problem text={list.problem} retry={list.reload} />
      {items.length === 0 && list.isLoading && <Waiting />}
      {items.length === 0 && !list.isLoading && list.problem === undefined && (
        <Empty title={isFiltered ? "No prompt matches" : "No prompts yet"}>
          <p>
            {isFiltered ? (
              <a href="/console/prompts">Show all prompts</a>
            ) : (
              <>
                Write the instructions that you give to models again and again, with placeholders such as{" "}
                <code>{EXAMPLE_PLACEHOLDER}</code>: <a href="/console/add?what=prompt">New prompt</a>.
              </>
            )}
          </p>
        </Empty>
      )}
      <WindowedList
        label="Prompts"
        items={items}
        keyOf={({ id }) => id}
        rowHeight={ROW_HEIGHT}
        hasMore={list.hasMore}
        loadMore={list.loadMore}
        row={(item) => (
          <div class="row">
            <a href={`/console/prompts/${item.id}`} dir="auto">
              {item.title}
            </a>
            <p class="one-line" dir="auto">
              {item.description}
            </p>
            <div class="facts">
              <span>version {item.currentVersion}</span>
              <span>
                changed <Time at={item.updatedAt} />
              </span>
              <Tags tags={item.tags} base="/console/prompts" />
            </div>
          </div>
        )}
      />
    </Page>
  );
}

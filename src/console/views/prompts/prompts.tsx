// The view Prompts: the list.

import type { ListedPrompt } from "../../api/openapi.d.ts";
import { Tags, Time } from "../../parts/controls.tsx";
import { filterOf, RecordList, TagsFilter, TitleFilter } from "../../parts/record-list.tsx";
import { EXAMPLE_PLACEHOLDER } from "../../../kernel/placeholders.ts";

const ROW_HEIGHT = 84;
const NEW_PROMPT = "/console/add?what=prompt";

export function PromptsView() {
  return (
    <RecordList<ListedPrompt>
      title="Prompts"
      href="/console/prompts"
      path="/v1/prompts"
      filters={{ q: filterOf("title"), tags: filterOf("tags") }}
      add={{ href: NEW_PROMPT, label: "New prompt", scope: "prompts.write" }}
      first={
        <>
          Write the instructions that you give to models again and again, with placeholders such as{" "}
          <code>{EXAMPLE_PLACEHOLDER}</code>: <a href={NEW_PROMPT}>New prompt</a>.
        </>
      }
      rowHeight={ROW_HEIGHT}
      row={(item) => <Row item={item} />}
    >
      <TitleFilter label="Title or description contains" />
      <TagsFilter />
    </RecordList>
  );
}

function Row({ item }: { item: ListedPrompt }) {
  return (
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
  );
}

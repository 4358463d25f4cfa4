// The view Add: write a text, fetch a web page, or import files.

import { may } from "../../api/session.ts";
import { here, setParameters } from "../../frame/location.ts";
import { Choice } from "../../parts/controls.tsx";
import { Page } from "../../parts/page.tsx";
import { FilesForm } from "./files.tsx";
import { PageForm } from "./web-page.tsx";
import { WriteForm } from "./write.tsx";

const OPTIONS = [
  ["document", "Write a document", "documents.write"],
  ["prompt", "Write a prompt", "prompts.write"],
  ["page", "Fetch a web page", "documents.write"],
  ["files", "Import files", "documents.write"],
] as const;
type What = (typeof OPTIONS)[number][0];

export function AddView() {
  const wanted = here.value.searchParams.get("what");
  const options = OPTIONS.filter(([, , scope]) => may(scope)).map(
    ([option, name]) => [option, name] as const,
  );
  const what: What | undefined = options.find(([option]) => option === wanted)?.[0] ?? options[0]?.[0];
  if (what === undefined) return null;
  return (
    <Page title="Add">
      <Choice
        label="What to add"
        options={options}
        value={what}
        onChange={(next) => setParameters({ what: next === "document" ? "" : next })}
      />
      {(what === "document" || what === "prompt") && <WriteForm key={what} type={what} />}
      {what === "page" && <PageForm />}
      {what === "files" && <FilesForm />}
    </Page>
  );
}

// The view Add: write a text, fetch a web page, or import files.

import { may } from "../../api/session.ts";
import { here, setParameters } from "../../frame/location.ts";
import { Choice } from "../../parts/controls.tsx";
import { Page } from "../../parts/page.tsx";
import { FilesForm } from "./files.tsx";
import { PageForm } from "./web-page.tsx";
import { WriteForm } from "./write.tsx";

const OPTIONS = [
  ["document", "Write a document"],
  ["prompt", "Write a prompt"],
  ["page", "Fetch a web page"],
  ["files", "Import files"],
] as const;
type What = (typeof OPTIONS)[number][0];

export function AddView() {
  const wanted = here.value.searchParams.get("what");
  const what: What = OPTIONS.find(([option]) => option === wanted)?.[0] ?? "document";
  if (!may("documents.write") && !may("prompts.write")) {
    return (
      <Page title="Add">
        <p>You are signed in with a key that may only read.</p>
      </Page>
    );
  }
  return (
    <Page title="Add">
      <Choice
        label="What to add"
        options={OPTIONS}
        value={what}
        onChange={(next) => setParameters({ what: next === "document" ? "" : next })}
      />
      {(what === "document" || what === "prompt") && <WriteForm key={what} type={what} />}
      {what === "page" && <PageForm />}
      {what === "files" && <FilesForm />}
    </Page>
  );
}

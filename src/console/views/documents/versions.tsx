// The view of a document's versions.

import { RequestError } from "../../api/request.ts";
import { may } from "../../api/session.ts";
import { type Restoring, Versions } from "../../parts/versions.tsx";
import { isTruncated, loadDocument, restoreDocument, saveDocument } from "./stored.ts";

const restoringOf = (id: string): Restoring => ({
  async whole(versionId) {
    // The latest state: the person has just seen the list of its versions.
    await restoreDocument(await loadDocument(id), versionId);
  },
  async part(shown, content, changeLog) {
    const { document, etag } = await loadDocument(id);
    if (isTruncated(document)) throw new RequestError(413, "This text is too long to restore a part of it.");
    if (document.content !== shown.content) throw new RequestError(412, "The document has changed.");
    await saveDocument(id, etag, { content, changeLog });
  },
});

export function DocumentVersionsView({ id }: { id: string }) {
  return (
    <Versions type="document" id={id} restoring={may("documents.write") ? restoringOf(id) : undefined} />
  );
}

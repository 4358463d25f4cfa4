// Files that are dropped on the page are imported, whatever view is shown; on a collection, into it. Without this, the
// browser would show a file instead of the console.

import { useEffect, useState } from "preact/hooks";
import { may } from "../api/session.ts";
import { filesOfDrop } from "../views/add/import/gather.ts";
import { startImport } from "../views/add/import/running.ts";
import { go, here } from "./location.ts";
import { routeOf } from "./routes.ts";

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;

export function DropFiles() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(may("documents.write"));
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      setOver(false);
      const isTaken = event.defaultPrevented;
      event.preventDefault();
      if (isTaken || !event.dataTransfer || !may("documents.write")) return;
      const route = routeOf(here.value.pathname);
      const collectionId = route.view === "collection" ? route.id : "";
      startImport(filesOfDrop(event.dataTransfer), { tags: [], collectionId, force: false });
      go("/console/add?what=files");
    };
    addEventListener("dragenter", onDrag, { signal });
    addEventListener("dragover", onDrag, { signal });
    addEventListener("dragleave", onLeave, { signal });
    addEventListener("drop", onDrop, { signal });
    return () => listening.abort();
  }, []);
  return isOver ? <p class="drop-here">Drop the files to import them</p> : null;
}

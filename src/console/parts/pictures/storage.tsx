// How much the documents of each collection take up: a table with bars.

import type { ComponentChildren } from "preact";
import type { Storage, Stored } from "../../../features/console/replies.ts";
import { bytes, plural } from "../../text/format.ts";
import { useRead } from "../load.ts";
import { Problem, Waiting } from "../page.tsx";

export function StoragePicture() {
  const { value, problem, reload } = useRead<Storage>("/console/api/storage");
  if (!value) return problem === undefined ? <Waiting /> : <Problem text={problem} retry={reload} />;
  const { collections, none, others, total, isComplete } = value;
  const most = Math.max(1, none.bytes, others.bytes, ...collections.map((one) => one.bytes));
  const shareOf = (stored: Stored) => stored.bytes / most;
  return (
    <div class="table">
      <table>
        <caption class="hidden">Storage by collection</caption>
        <thead>
          <tr>
            <th scope="col">Collection</th>
            {["Size", "Documents", "Chunks"].map((name) => (
              <th scope="col" class="number" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {collections.map((stored) => (
            <Row key={stored.id} stored={stored} share={shareOf(stored)}>
              <a href={`/console/collections/${stored.id}`} dir="auto">
                {stored.name}
              </a>
            </Row>
          ))}
          {others.collections > 0 && (
            <Row stored={others} share={shareOf(others)} isRest>
              {plural(others.collections, "other collection")}
            </Row>
          )}
          {none.documents > 0 && (
            <Row stored={none} share={shareOf(none)} isRest>
              In no collection
            </Row>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              {isComplete ? "All documents" : `The newest ${plural(total.documents, "document")}`}
            </th>
            <Numbers stored={total} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

interface RowProps {
  stored: Stored;
  /** The length of the bar, from 0 to 1. */
  share: number;
  /** Whether the row is not that of one collection. */
  isRest?: boolean;
  children: ComponentChildren;
}

function Row({ stored, share, isRest = false, children }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {children}
        <span
          class={isRest ? "storage-bar rest" : "storage-bar"}
          style={{ width: `${100 * share}%` }}
          aria-hidden="true"
        />
      </th>
      <Numbers stored={stored} />
    </tr>
  );
}

const Numbers = ({ stored }: { stored: Stored }) => (
  <>
    <td class="number">{bytes(stored.bytes)}</td>
    <td class="number">{stored.documents.toLocaleString("en")}</td>
    <td class="number">{stored.chunks.toLocaleString("en")}</td>
  </>
);

// Turndown rules for the tables that write-html.ts writes: one heading row in <thead>, cells of one line. The rules of
// the GFM plugin take quadratic time: 14 s for 2,000 rows.

import type TurndownService from "turndown";
import type { TreeNode } from "./tree-node.ts";

const BORDERS: Record<string, string> = { left: ":---", right: "---:", center: ":---:" };

/** Adds the rules for <table> and all that is in it. */
export function addTableRules(turndown: TurndownService): void {
  turndown.addRule("table", {
    filter: "table",
    replacement: (content: string) => `\n\n${content.replace(/\n+/g, "\n").trimStart()}\n\n`,
  });
  turndown.addRule("tableSection", {
    filter: ["thead", "tbody"],
    replacement: (content: string) => content,
  });
  turndown.addRule("tableRow", {
    filter: "tr",
    replacement(content: string, node: TreeNode) {
      if (node.parentNode?.nodeName !== "THEAD") return `\n${content}`;
      const borders = alignmentsOf(node.parentNode.parentNode).map((align) => BORDERS[align] ?? "---");
      return `\n${content}\n${borders.map((border, i) => cell(border, i === 0)).join("")}`;
    },
  });
  turndown.addRule("tableCell", {
    filter: ["th", "td"],
    replacement: (content: string, node: TreeNode) => cell(content, node.previousSibling === null),
  });
}

function cell(content: string, isFirst: boolean): string {
  const text = content.trim().replace(/\n/g, "<br>").replace(/\|+/g, "\\|");
  return `${isFirst ? "| " : " "}${text.padEnd(3)} |`;
}

/** The alignment that most cells of each column have. */
function alignmentsOf(table: TreeNode | null): string[] {
  const columns: { align: string; votes: Map<string, number> }[] = [];
  for (let part = table?.firstChild ?? null; part; part = part.nextSibling) {
    for (let row = part.firstChild; row; row = row.nextSibling) {
      let index = 0;
      for (let cell = row.firstChild; cell; cell = cell.nextSibling) {
        const align = (cell.getAttribute("align") ?? "").toLowerCase();
        const column = columns[index] ?? { align: "", votes: new Map<string, number>() };
        columns[index] = column;
        vote(column, align);
        index++;
      }
    }
  }
  return columns.map(({ align }) => align);
}

function vote(column: { align: string; votes: Map<string, number> }, align: string): void {
  const count = (column.votes.get(align) ?? 0) + 1;
  column.votes.set(align, count);
  if (count > (column.votes.get(column.align) ?? 0)) column.align = align;
}

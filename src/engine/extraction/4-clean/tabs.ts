// Labels the panels of tabs: the name of each tab becomes a bold line at the start of its panel, and the row of names
// is removed. Tabs are found by ARIA roles, by radio buttons with labels, and by the order of names and panels.

import {
  childrenOf,
  type DomDocument,
  type DomElement,
  type DomNode,
  isElement,
  namesOf,
  nextElement,
  plainText,
} from "../shared/dom.ts";

/** Longer texts are no names of tabs. */
const MAX_NAME = 60;
/** Levels above a row of names at which its panels are looked for. */
const MAX_LEVELS = 3;
/** Names and radio buttons of a page that are looked at: for each, the page is searched. */
const MAX_TABS = 500;
/** Whole words of classes of a row of buttons that are tabs. */
const ROW_OF_BUTTONS = /(?:^|[\s_-])(?:codetabs|code-?tabs|tabs?|tab-?(?:list|bar|nav|header))(?:$|[\s_-])/;

/** Names the panels of all tabs. Before code and hidden elements are cleaned. */
export function labelTabs(document: DomDocument): void {
  let count = 0;
  for (const row of rowsOf(document)) {
    const tabs = tabsOf(row).filter((tab) => plainText(tab).length <= MAX_NAME);
    if (tabs.length === 0 || tabs.some((tab) => plainText(tab) === "")) continue;
    count += tabs.length;
    if (count > MAX_TABS) return;
    const panels = panelsOf(document, row, tabs);
    if (!panels) continue;
    for (const [index, tab] of tabs.entries()) label(document, panels[index]!, plainText(tab));
    for (const tab of tabs) tab.remove();
    if (plainText(row) === "") row.remove();
  }
}

/** The elements that contain the names of tabs. */
function rowsOf(document: DomDocument): Set<DomElement> {
  const rows = new Set<DomElement>(document.querySelectorAll("[role=tablist]"));
  for (const radio of [...document.querySelectorAll("input[type=radio]")].slice(0, MAX_TABS)) {
    const name = radio.getAttribute("id") ?? "";
    const row = name === "" ? null : labelFor(radio, name)?.parentNode;
    if (row) rows.add(row);
  }
  for (const button of document.querySelectorAll("button")) {
    const row = button.parentNode;
    if (row && ROW_OF_BUTTONS.test(namesOf(row)) && !row.closest("[role=tablist]")) rows.add(row);
  }
  return rows;
}

/** The label of a radio button beside it, or in a row beside it. */
function labelFor(radio: DomElement, id: string): DomElement | undefined {
  return [...(radio.parentNode?.querySelectorAll("label[for]") ?? [])].find(
    (one) => one.getAttribute("for") === id,
  );
}

/** The names of tabs in a row. */
function tabsOf(row: DomElement): DomElement[] {
  const withRole = [...row.querySelectorAll("[role=tab]")];
  if (withRole.length > 0) return withRole;
  const labels = [...row.children].filter((one) => one.localName === "label");
  return labels.length > 0 ? labels : [...row.children].filter((one) => one.localName === "button");
}

/** As many panels as tabs, in their order; undefined if they are not found. */
function panelsOf(
  document: DomDocument,
  row: DomElement,
  tabs: readonly DomElement[],
): DomElement[] | undefined {
  const isFit = (panels: (DomElement | null)[]): panels is DomElement[] =>
    panels.length === tabs.length &&
    new Set(panels).size === tabs.length &&
    panels.every((panel) => panel !== null && !panel.contains(row) && !tabs.includes(panel));
  const named = tabs.map((tab) => panelNamedBy(document, tab));
  if (isFit(named)) return named;
  const after = tabs.map(nextElement);
  if (isFit(after) && after.every(isPanel)) return after;
  let place = row;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const next = nextElement(place);
    const children = next ? [...next.children] : [];
    if (next && isPanel(next) && isFit(children) && children.every(isPanel)) return children;
    const around = place.parentNode;
    if (!around || around.localName === "body") return undefined;
    const panels = [...around.querySelectorAll("[role=tabpanel]")];
    if (panels.length > 0) return isFit(panels) ? panels : undefined;
    place = around;
  }
  return undefined;
}

const isPanel = ({ localName }: DomElement) => /^(?:div|section|pre|figure|table|ul|ol)$/.test(localName);

/** The element that a tab names by id, or that names the tab. */
function panelNamedBy(document: DomDocument, tab: DomElement): DomElement | null {
  const id = tab.getAttribute("aria-controls") ?? /^#(.+)$/.exec(tab.getAttribute("href") ?? "")?.[1] ?? "";
  const byId = /^[\w:-]+$/.test(id) ? document.querySelector(`[id="${id}"]`) : null;
  const own = tab.getAttribute("id") ?? "";
  return byId ?? (/^[\w:-]+$/.test(own) ? document.querySelector(`[aria-labelledby="${own}"]`) : null);
}

/** Writes the name of a tab at the start of its panel, which stays even if it is not shown at first. */
function label(document: DomDocument, panel: DomElement, name: string): void {
  const strong = document.createElement("strong");
  strong.textContent = name;
  const line = document.createElement("p");
  line.append(strong);
  const isContainer = /^(?:div|section|article|li)$/.test(panel.localName);
  if (isContainer) panel.setAttribute("role", "tabpanel");
  if (startsWith(panel, name)) return;
  if (isContainer) panel.insertBefore(line, panel.firstChild);
  else panel.before(line);
}

/** Whether the first text of an element is this one, in an element of its own. */
function startsWith(element: DomElement, text: string): boolean {
  for (let place: DomElement | undefined = element; place; ) {
    if (plainText(place) === text) return true;
    const first: DomNode | undefined = childrenOf(place).find((child) => child.textContent.trim() !== "");
    place = first && isElement(first) ? first : undefined;
  }
  return false;
}

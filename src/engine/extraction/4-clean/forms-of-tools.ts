// Forms that single tools write: states of tasks, addresses that Cloudflare hides, readings of characters, parts of
// web components.

import {
  childrenOf,
  type DomDocument,
  type DomElement,
  isElement,
  namesOf,
  plainText,
} from "../shared/dom.ts";

/** Writes them as other pages do. Before code and hidden elements are cleaned. */
export function normalizeToolForms(document: DomDocument): void {
  openShadowRoots(document);
  revealAddresses(document);
  markTasks(document);
  nestLists(document);
  bracketReadings(document);
}

/** Declarative shadow roots are shown without a script. https://html.spec.whatwg.org/#attr-template-shadowrootmode */
function openShadowRoots(document: DomDocument): void {
  for (const template of [...document.querySelectorAll("template[shadowrootmode]")]) {
    const host = template.parentNode;
    if (!host) continue;
    const light = childrenOf(host).filter((node) => node !== template);
    const inside = childrenOf(template);
    template.replaceWith(...inside);
    const slots = inside
      .filter(isElement)
      .flatMap((one) => (one.localName === "slot" ? [one] : [...one.querySelectorAll("slot")]));
    for (const slot of slots) {
      const name = slot.getAttribute("name") ?? "";
      const shown = light.filter(
        (node) => (isElement(node) ? (node.getAttribute("slot") ?? "") : "") === name,
      );
      if (shown.length > 0) slot.replaceWith(...shown);
    }
  }
}

/** Cloudflare writes addresses as hex: a key, then each byte XOR the key. */
function revealAddresses(document: DomDocument): void {
  for (const hidden of [...document.querySelectorAll("[data-cfemail]")]) {
    const bytes = Buffer.from(hidden.getAttribute("data-cfemail") ?? "", "hex");
    const [key = 0] = bytes;
    const address = new TextDecoder().decode(bytes.subarray(1).map((byte) => byte ^ key));
    if (address !== "") hidden.replaceWith(address);
  }
  for (const link of [...document.querySelectorAll('a[href*="/cdn-cgi/l/email-protection"]')])
    link.removeAttribute("href");
}

/** Boxes and classes of Notion, Evernote and Confluence become check boxes. */
function markTasks(document: DomDocument): void {
  const boxOf = (isChecked: boolean) => {
    const box = document.createElement("input");
    box.setAttribute("type", "checkbox");
    if (isChecked) box.setAttribute("checked", "");
    return box;
  };
  const mark = (item: DomElement, isChecked: boolean) => {
    if (item.querySelector("input")) return;
    const first = [...item.children][0];
    const line = first && /^(?:div|p)$/.test(first.localName) ? first : item;
    line.insertBefore(boxOf(isChecked), line.firstChild);
  };
  for (const box of [...document.querySelectorAll("div.checkbox, span.checkbox")]) {
    const state = /(?:^|\s)checkbox-(on|off)(?:\s|$)/.exec(namesOf(box))?.[1];
    if (state !== undefined && plainText(box) === "") box.replaceWith(boxOf(state === "on"));
  }
  for (const item of [...document.querySelectorAll(".inline-task-list > li")])
    mark(item, item.matches(".checked"));
  for (const item of [...document.querySelectorAll("[style*='--en-checked']")])
    mark(item, /--en-checked\s*:\s*true/.test(item.getAttribute("style") ?? ""));
}

/** Google Docs writes each level of a list as a list of its own, with the level in its class. */
function nestLists(document: DomDocument): void {
  const open: { level: number; list: DomElement }[] = [];
  for (const list of [...document.querySelectorAll("ul[class*='lst-kix'], ol[class*='lst-kix']")]) {
    const level = Number(/(?:^|\s)lst-kix_\w+-(\d)(?:\s|$)/.exec(namesOf(list))?.[1] ?? 0);
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop();
    const outer = open.at(-1)?.list;
    const item = outer && [...outer.children].at(-1);
    if (item && isDirectlyAfter(list, open[0]!.list)) item.append(list);
    else open.length = 0;
    open.push({ level, list });
  }
}

/** Whether only lists are between two elements of one parent. */
function isDirectlyAfter(element: DomElement, earlier: DomElement): boolean {
  for (let node = element.previousSibling; node; node = node.previousSibling) {
    if (node === earlier) return true;
    if (isElement(node) ? !/^[ou]l$/.test(node.localName) : node.textContent.trim() !== "") return false;
  }
  return false;
}

/** A reading above characters is written in brackets after them, as <rp> does. */
function bracketReadings(document: DomDocument): void {
  for (const ruby of [...document.querySelectorAll("ruby")]) {
    if (ruby.querySelector("rp")) continue;
    for (const reading of [...ruby.querySelectorAll("rt")])
      if (plainText(reading) !== "") reading.replaceWith(`（${plainText(reading)}）`);
  }
}

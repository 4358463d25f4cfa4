// What a person does with a page: pressing what has a name, typing into what has a label, reading.

import type { ElementHandle, Page } from "puppeteer-core";

// Of the page, in which some functions of this file run.
// biome-ignore lint/suspicious/noExplicitAny: the types of browsers contradict those of Bun
declare const document: any;
// biome-ignore lint/suspicious/noExplicitAny: as above
declare const window: any;

const WAIT_MS = 60_000;

export interface Actions {
  /** Clicks the visible button, link or other control with exactly this name. */
  press(name: string): Promise<void>;
  /** Replaces the text of the control with this label. */
  fill(label: string, text: string): Promise<void>;
  /** Waits until an element that matches `selector` contains these words. */
  sees(words: string, selector?: string): Promise<void>;
  /** The text of the first element that matches. */
  text(selector?: string): Promise<string>;
  /** The value of the first control that matches. */
  value(selector: string): Promise<string>;
  /** The lines of the first text editor that are near the visible ones. */
  typed(): Promise<string>;
  /** The path of the address. */
  path(): string;
}

/** The actions of a page. */
export function actionsOf(page: Page): Actions {
  return {
    async press(name) {
      for (const until = performance.now() + WAIT_MS; ; ) {
        const found = await page.waitForFunction(findNamed, { timeout: WAIT_MS }, name);
        try {
          return await (found as ElementHandle<never>).click();
        } catch (error) {
          // The page may have replaced or moved it in the meantime.
          if (performance.now() > until || !/detached|clickable|Element/.test(String(error))) throw error;
        }
      }
    },
    async fill(label, text) {
      const found = await page.waitForFunction(findLabelled, { timeout: WAIT_MS }, label);
      await found.evaluate(setText, text);
    },
    async sees(words, selector = "main") {
      await page
        .waitForFunction(containsWords, { timeout: WAIT_MS }, selector, words)
        .catch(async (error) => {
          const shown = await page.evaluate(textOf, selector);
          throw new Error(`"${words}" does not appear in ${selector}, which contains: ${shown}`, {
            cause: error,
          });
        });
    },
    text: (selector = "main") => page.evaluate(textOf, selector),
    async typed() {
      const found = await page.waitForFunction(findEditor, { timeout: WAIT_MS });
      return found.evaluate(linesOf);
    },
    value: (selector) => page.evaluate(controlValueOf, selector),
    path: () => new URL(page.url()).pathname,
  };
}

function findNamed(name: string) {
  const controls = [...document.querySelectorAll("button, a, summary, label, input, [role=button]")];
  return controls.find((control) => {
    const named = control.getAttribute("aria-label") ?? control.textContent;
    return named.trim() === name && !control.disabled && control.getClientRects().length > 0;
  });
}

function findLabelled(label: string) {
  const labels = [...document.querySelectorAll("label")];
  const found = labels.find((one) => (one.querySelector("span") ?? one).textContent.trim() === label);
  const editors = [...document.querySelectorAll(".text-editor")];
  const editor = editors.find((one) => one.dataset.label === label);
  return found?.control ?? editor?.shadowRoot?.querySelector(".cm-content");
}

function findEditor() {
  return document.querySelector(".text-editor")?.shadowRoot?.querySelector(".cm-content");
}

// biome-ignore lint/suspicious/noExplicitAny: an element of the page
function linesOf(editor: any): string {
  return [...editor.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n");
}

/** Replaces the text of a control, or of a text editor by keys and by pasting. */
// biome-ignore lint/suspicious/noExplicitAny: an element of the page
function setText(control: any, text: string) {
  if (!control.classList.contains("cm-content")) {
    control.value = text;
    for (const event of ["input", "change"]) control.dispatchEvent(new Event(event, { bubbles: true }));
    return;
  }
  const press = (key: string, keyCode: number, ctrlKey: boolean) =>
    control.dispatchEvent(new window.KeyboardEvent("keydown", { key, keyCode, ctrlKey, bubbles: true }));
  control.focus();
  press("a", 65, true);
  press("Delete", 46, false);
  const clipboardData = new window.DataTransfer();
  clipboardData.setData("text/plain", text);
  control.dispatchEvent(
    new window.ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
  );
}

function containsWords(selector: string, words: string) {
  return [...document.querySelectorAll(selector)].some((element) => element.textContent.includes(words));
}

function textOf(selector: string): string {
  return document.querySelector(selector)?.textContent ?? "";
}

function controlValueOf(selector: string): string {
  return document.querySelector(selector)?.value ?? "";
}

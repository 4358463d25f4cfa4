// The editor of long texts: CodeMirror, which renders only the lines near the visible ones. It is in a shadow root,
// where it can use constructed style sheets: the policy of the page allows no others.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown, markdownKeymap } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { MAX_EDITED_UNITS } from "../text/limits.ts";

interface EditorOptions {
  host: HTMLElement;
  text: string;
  /** What screen readers call it. */
  label: string;
  isMarkdown: boolean;
  changed(text: string): void;
  /** Called when a change was refused because the text would have this many units. */
  refused(units: number): void;
}

export interface CodeEditor {
  /** Replaces the text, for a change that was not typed. */
  replace(text: string): void;
  focus(): void;
  destroy(): void;
}

const THEME = EditorView.theme({
  "&": { color: "inherit", font: "inherit", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { padding: "0.5rem 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 0.65rem" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-selectionMatch": { background: "var(--mark)" },
  ".cm-searchMatch": { background: "var(--mark)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--accent)" },
  ".cm-panels": { color: "var(--text)", background: "var(--box)" },
  ".cm-textfield, .cm-button": { font: "inherit", color: "inherit", background: "var(--page)" },
});
const MARKDOWN = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: [tags.processingInstruction, tags.monospace, tags.quote, tags.meta], color: "var(--quiet)" },
]);

export function openEditor({ host, text, label, isMarkdown, changed, refused }: EditorOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  /** Refuses what would make the text too long: pasting and dropping as well as typing. */
  const limit = EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged || transaction.newDoc.length <= MAX_EDITED_UNITS) return transaction;
    if (transaction.newDoc.length <= transaction.startState.doc.length) return transaction;
    refused(transaction.newDoc.length);
    return [];
  });
  const extensions: Extension[] = [
    limit,
    history(),
    drawSelection(),
    search({ top: true }),
    highlightSelectionMatches(),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.contentAttributes.of({
      "aria-label": label,
      tabindex: "0",
      spellcheck: "true",
      autocapitalize: "on",
    }),
    // Tab leaves the editor, so that the keyboard reaches what comes after it.
    keymap.of([...(isMarkdown ? markdownKeymap : []), ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.updateListener.of((update) => {
      const isTyped = update.transactions.some((one) => one.annotation(Transaction.remote) !== true);
      if (update.docChanged && isTyped) changed(update.state.doc.toString());
    }),
    EditorView.domEventHandlers({
      paste(event, view) {
        // Before the editor splits the text into lines, which takes long for megabytes.
        const { from, to } = view.state.selection.main;
        const pasted = event.clipboardData?.getData("text/plain").length ?? 0;
        const units = view.state.doc.length - (to - from) + pasted;
        if (units <= MAX_EDITED_UNITS) return false;
        event.preventDefault();
        refused(units);
        return true;
      },
    }),
    THEME,
    ...(isMarkdown ? [markdown(), syntaxHighlighting(MARKDOWN)] : []),
  ];
  const view = new EditorView({ state: EditorState.create({ doc: text, extensions }), root, parent: root });
  return {
    replace(next) {
      if (next === view.state.doc.toString()) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        annotations: Transaction.remote.of(true),
      });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

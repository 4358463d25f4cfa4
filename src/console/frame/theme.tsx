// The colours of the page: those of the system, or light or dark as the person chooses.

import { signal } from "@preact/signals";

const NAME = "ctxrepo theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const theme = signal<Theme>("system");

/** Applies the theme that was chosen last in this browser. */
export function applyTheme(): void {
  try {
    const kept = localStorage.getItem(NAME);
    theme.value = THEMES.find((one) => one === kept) ?? "system";
  } catch {
    // The storage of the browser is switched off.
  }
  show();
}

function show(): void {
  document.documentElement.dataset.theme = theme.value;
}

function choose(next: Theme): void {
  theme.value = next;
  show();
  try {
    localStorage.setItem(NAME, next);
  } catch {
    // It lasts until the page is closed.
  }
}

export function ThemeSwitch() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "system";
  return (
    <button type="button" class="small" title={`Change to ${next}`} onClick={() => choose(next)}>
      Colours: {theme.value}
    </button>
  );
}

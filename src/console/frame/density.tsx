// How much fits on the page: rows with room around them, or as many as possible.

import { signal } from "@preact/signals";

const NAME = "ctxrepo density";
const PHONE = matchMedia("(max-width: 52rem)");

type Density = "comfortable" | "compact";

const density = signal<Density>("comfortable");
const isPhone = signal(PHONE.matches);
PHONE.addEventListener("change", () => {
  isPhone.value = PHONE.matches;
});

/** Applies the density that was chosen last in this browser. */
export function applyDensity(): void {
  try {
    density.value = localStorage.getItem(NAME) === "compact" ? "compact" : "comfortable";
  } catch {
    // The storage of the browser is switched off.
  }
  show();
}

function show(): void {
  document.documentElement.dataset.density = density.value;
}

function choose(next: Density): void {
  density.value = next;
  show();
  try {
    localStorage.setItem(NAME, next);
  } catch {
    // It lasts until the page is closed.
  }
}

/** The height of a row of a table, pixels. On a phone, a row has two lines. */
export function tableRowHeight(): number {
  if (isPhone.value) return 60;
  return density.value === "compact" ? 32 : 44;
}

export function DensitySwitch() {
  const next = density.value === "compact" ? "comfortable" : "compact";
  return (
    <button type="button" class="small density" title={`Change to ${next}`} onClick={() => choose(next)}>
      Rows: {density.value}
    </button>
  );
}

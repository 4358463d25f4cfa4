// A text shown as rendered Markdown. The code for that is loaded when the first text is shown.

import { lazily } from "./lazy.tsx";
import type { RenderedProps } from "./rendered-blocks.tsx";

export const Rendered = lazily<RenderedProps>(
  async () => (await import("./rendered-blocks.tsx")).RenderedBlocks,
);

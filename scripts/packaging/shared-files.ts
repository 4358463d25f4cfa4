// The files that every package contains beside the executable: completions of shells and the manual page, made from the
// commands themselves, at their usual places below a prefix such as /usr or ~/.local.

import { bashScript } from "../../src/cli/completion/bash.ts";
import { fishScript } from "../../src/cli/completion/fish.ts";
import { completionNodes } from "../../src/cli/completion/tree.ts";
import { zshScript } from "../../src/cli/completion/zsh.ts";
import { createProgram } from "../../src/cli/program.ts";
import type { ArchiveFile } from "./archives.ts";
import { manualPage } from "./manual-page.ts";

/** Paths below the prefix. */
export const SHARED_PATHS = {
  bash: "share/bash-completion/completions/ctxrepo",
  zsh: "share/zsh/site-functions/_ctxrepo",
  fish: "share/fish/vendor_completions.d/ctxrepo.fish",
  manual: "share/man/man1/ctxrepo.1",
} as const;

/** The files, with paths below the prefix. */
export function sharedFiles(): ArchiveFile[] {
  const program = createProgram();
  const nodes = completionNodes(program);
  const file = (path: string, text: string) => ({ path, bytes: Buffer.from(`${text.trimEnd()}\n`) });
  return [
    file(SHARED_PATHS.bash, bashScript(nodes)),
    file(SHARED_PATHS.zsh, zshScript(nodes)),
    file(SHARED_PATHS.fish, fishScript(nodes)),
    file(SHARED_PATHS.manual, manualPage(program)),
  ];
}

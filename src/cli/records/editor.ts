// Lets the user change a text in the editor of $VISUAL or $EDITOR.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../kernel/errors.ts";
import { childEnvironment } from "../child-environment.ts";

/** The user's file. It remains until it is removed, so that a text that could not be stored is not lost. */
export interface EditedFile {
  path: string;
  text: string;
  remove(): void;
}

/** Opens the text in the editor and waits until the user closes it. Throws `unavailable` if the editor fails. */
export async function editText(text: string): Promise<EditedFile> {
  const folder = mkdtempSync(join(tmpdir(), "ctxrepo-edit-"));
  const path = join(folder, "text.md");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  writeFileSync(path, text, { mode: 0o600 });
  const { VISUAL, EDITOR } = process.env;
  const editor = VISUAL || EDITOR || (process.platform === "win32" ? "notepad" : "vi");
  const command =
    process.platform === "win32" ? [editor, path] : ["sh", "-c", `${editor} "$1"`, "editor", path];
  try {
    const code = await Bun.spawn(command, {
      stdio: ["inherit", "inherit", "inherit"],
      env: childEnvironment(),
    }).exited;
    if (code !== 0)
      throw new Failure("unavailable", `the editor ${editor} ended with ${code}: nothing was stored`);
    return { path, text: readFileSync(path, "utf8"), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

// Copies a text with the tool of the platform.

import { Failure } from "../../kernel/errors.ts";
import { childEnvironment } from "../child-environment.ts";

const TOOLS: Record<string, string[][]> = {
  darwin: [["pbcopy"]],
  win32: [["clip"]],
  linux: [["wl-copy"], ["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]],
};

/** Copies the text and returns the name of the tool. Throws `unavailable` if there is none, or if it fails. */
export async function copyText(text: string): Promise<string> {
  const tools = TOOLS[process.platform] ?? [];
  const tool = tools.find(([name]) => Bun.which(name!));
  if (tool === undefined) {
    const names = tools.map(([name]) => name).join(", ");
    throw new Failure("unavailable", `nothing was copied: none of ${names} is installed`);
  }
  const child = Bun.spawn(tool, {
    stdin: new Blob([text]),
    stdout: "ignore",
    stderr: "ignore",
    env: childEnvironment(),
  });
  if ((await child.exited) !== 0) throw new Failure("unavailable", `nothing was copied: ${tool[0]} failed`);
  return tool[0]!;
}

// The folders of the extraction are its steps: none depends on another, only on shared basics.

import { expect, test } from "bun:test";
import { join, normalize, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../../../src/engine/extraction");

/** Files that a folder may use of another one. */
const OF_OTHERS: Record<string, string[]> = { containers: ["office/xml.ts", "office/archive.ts"] };

test("a step imports its own files, shared ones, errors and the kernel; shared files import no step", async () => {
  const broken: string[] = [];
  let imports = 0;
  for (const file of new Bun.Glob("*/*.ts").scanSync({ cwd: ROOT })) {
    const folder = file.slice(0, file.indexOf("/"));
    const text = await Bun.file(join(ROOT, file)).text();
    for (const [, target = ""] of text.matchAll(/from "(\.[^"]+)"/g)) {
      imports++;
      const imported = normalize(join(folder, target));
      const allowed = [
        `${folder}/`,
        "errors.ts",
        "../../kernel/",
        ...(OF_OTHERS[folder] ?? []),
        ...(folder === "shared" ? [] : ["shared/"]),
      ];
      if (!allowed.some((start) => imported.startsWith(start))) broken.push(`${file} imports ${imported}`);
    }
  }
  expect(imports).toBeGreaterThan(30);
  expect(broken).toEqual([]);
});

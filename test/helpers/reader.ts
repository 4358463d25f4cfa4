// A new user at a terminal, who follows the documentation: a home folder with some notes, `ctxrepo` in the search path
// and in the current folder, an editor that adds a line, and a browser that only notes the address.

import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { MAIN, plainEnvironment } from "./processes.ts";
import { makeTempDir } from "./start.ts";

/** Seconds after which what a reader runs has failed. */
const PATIENCE = 90;

export interface Reader {
  home: string;
  /** The address that the browser was told to show. */
  opened: string;
  write(files: Record<string, string>): Promise<void>;
  /**
   * Runs a line. Its variables and its folder are those of the next line. Every question is answered with yes. Throws
   * what was on the screen if the line fails.
   */
  run(line: string): Promise<string>;
  /** Starts what runs until it is interrupted. Resolves with what it printed when that contains `ready`. */
  start(line: string, ready: RegExp): Promise<string>;
  /** Interrupts what was started, and waits until it has ended. */
  interrupt(): Promise<void>;
  /** Ends everything and deletes the home folder. */
  leave(): Promise<void>;
}

const QUESTION = /\[y\/N\] $/;

export async function newReader(variables: Record<string, string> = {}): Promise<Reader> {
  const home = makeTempDir("ctxrepo-reader-");
  const opened = join(home, "opened");
  const environment = {
    ...plainEnvironment(home),
    PATH: `${join(home, "bin")}:${process.env.PATH}`,
    XDG_RUNTIME_DIR: home,
    CTXREPO_PORT: "0",
    TERM: "dumb",
    PAGER: "cat",
    EDITOR: join(home, "bin/editor"),
    // Without a display, no browser is looked for.
    DISPLAY: ":0",
    ...variables,
  };
  const program = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`;
  const programs = {
    "bin/ctxrepo": program,
    ctxrepo: program,
    "bin/editor": '#!/bin/sh\necho "One more line." >> "$1"\n',
    "bin/xdg-open": `#!/bin/sh\nprintf '%s' "$1" > "${opened}"\n`,
  };
  const running: Bun.Subprocess[] = [];

  function spawn(lines: string, look: (screen: string) => void): Bun.Subprocess {
    const decoder = new TextDecoder();
    let screen = "";
    return Bun.spawn(["sh", "-c", lines], {
      cwd: home,
      env: environment,
      terminal: {
        cols: 120,
        rows: 50,
        data(terminal, data) {
          screen += decoder.decode(data, { stream: true });
          if (QUESTION.test(screen)) terminal.write("y\n");
          look(screen.replaceAll("\r\n", "\n"));
        },
      },
    });
  }

  const reader: Reader = {
    home,
    opened,
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(home, name)), { recursive: true });
        await Bun.write(join(home, name), content);
      }
    },
    async run(line) {
      let screen = "";
      const state = `${home}/.state`;
      const child = spawn(
        `set -ea\n. ${state}\n${line}\nexport -p > ${state}\npwd | sed 's/.*/cd "&"/' >> ${state}`,
        (shown) => {
          screen = shown;
        },
      );
      const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE * 1000);
      const code = await child.exited;
      clearTimeout(timer);
      child.terminal?.close();
      if (code !== 0) throw new Error(`${line}: exit code ${code}\n${screen}`);
      return screen;
    },
    async start(line, ready) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      let screen = "";
      const child = spawn(line.replace(/(?=\S*ctxrepo )/, "exec env "), (shown) => {
        screen = shown;
        if (ready.test(shown)) resolve(shown);
      });
      running.push(child);
      const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE * 1000);
      void child.exited.then((code) => reject(new Error(`${line} exited with ${code}: ${screen}`)));
      await promise.finally(() => clearTimeout(timer));
      return screen;
    },
    async interrupt() {
      for (const child of running.splice(0)) {
        child.kill("SIGINT");
        await child.exited;
        child.terminal?.close();
      }
    },
    async leave() {
      await reader.interrupt();
      rmSync(home, { recursive: true, force: true });
    },
  };
  await reader.write({ ...programs, ".state": "" });
  for (const name of Object.keys(programs)) chmodSync(join(home, name), 0o755);
  return reader;
}

// The npm packages of a release, installed by npm with an empty cache from a registry on this machine and from files,
// and the launcher: it runs the executable of this platform, passes signals on and ends as the executable does.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ownTarget } from "../../../scripts/targets.ts";
import { PACKED_VERSION as VERSION, packStandIns, writeStandIns } from "../../helpers/packed-release.ts";
import { plainEnvironment } from "../../helpers/processes.ts";
import { makeTempDir } from "../../helpers/start.ts";

const OWN = `@ctxrepo/${ownTarget().name}`;
/** Stands for the executable. */
const STAND_IN = `case $1 in
  wait) trap 'echo stopped; exit 7' TERM; echo ready; for i in $(seq 600); do sleep 0.05; done ;;
  fail) exit 3 ;;
  abort) kill -ABRT $$ ;;
  *) echo "$0 $*"; cat ;;
esac`;
const root = makeTempDir();
const release = join(root, "release");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const hasNpm = Bun.which("npm") !== null && Bun.which("node") !== null;
const withNpm = (name: string) =>
  hasNpm ? ([test, name] as const) : ([test.skip, `${name} (skipped: no npm)`] as const);

/** npm may take a while on a busy machine. */
const WAIT_MS = 120_000;

let registry: Bun.Server<undefined>;
beforeAll(() => {
  const executables = join(root, "executables");
  writeStandIns(executables, () => STAND_IN);
  packStandIns(executables, release);
  registry = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: serveRegistry });
});
afterAll(() => registry.stop(true));

/** Answers as a registry: the description of a package, or its file. */
async function serveRegistry({ url }: Request): Promise<Response> {
  const { pathname, origin } = new URL(url);
  const name = decodeURIComponent(pathname.slice(1));
  if (name.endsWith(".tgz")) return new Response(Bun.file(join(release, name)));
  const file = `${name.replace("@ctxrepo/", "ctxrepo-")}-${VERSION}.tgz`;
  if (!existsSync(join(release, file))) return new Response("{}", { status: 404 });
  const bytes = readFileSync(join(release, file));
  const manifest = await new Bun.Archive(bytes).files("package/package.json");
  const version = JSON.parse(await manifest.get("package/package.json")!.text());
  const integrity = `sha512-${new Bun.CryptoHasher("sha512").update(bytes).digest("base64")}`;
  return Response.json({
    name,
    "dist-tags": { latest: VERSION },
    versions: { [VERSION]: { ...version, dist: { tarball: `${origin}/${file}`, integrity } } },
  });
}

/** Runs npm or npx in a new folder with nothing of this user: configuration, cache, packages. */
let homes = 0;
async function runNpm(program: "npm" | "npx", args: string[]) {
  const home = join(root, `home ${++homes}`);
  mkdirSync(home);
  const child = Bun.spawn([program, ...args], {
    cwd: home,
    env: {
      ...plainEnvironment(home),
      npm_config_registry: `http://127.0.0.1:${registry.port}`,
      npm_config_cache: join(home, "cache"),
      npm_config_prefix: home,
      npm_config_update_notifier: "false",
      npm_config_audit: "false",
      npm_config_fetch_retries: "0",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { home, stdout, stderr, code };
}

const launch = (home: string, ...args: string[]) =>
  Bun.spawn([join(home, "bin/ctxrepo"), ...args], {
    env: plainEnvironment(home),
    stdin: Buffer.from("from stdin"),
    stdout: "pipe",
    stderr: "pipe",
  });

describe("npm", () => {
  const [fromRegistry, registryName] = withNpm(
    "npm i -g from a registry installs this platform's package only",
  );
  fromRegistry(
    registryName,
    async () => {
      const { home, code, stderr } = await runNpm("npm", ["install", "--global", "ctxrepo"]);
      expect([code, stderr]).toEqual([0, ""]);
      const modules = join(home, "lib/node_modules/ctxrepo/node_modules/@ctxrepo");
      expect(readdirSync(modules)).toEqual([ownTarget().name]);
      expect(await launch(home, "a", "b c").stdout.text()).toBe(
        `${join(modules, ownTarget().name, "ctxrepo")} a b c\nfrom stdin`,
      );
      expect(existsSync(join(home, "share/man/man1/ctxrepo.1"))).toBe(true);
    },
    WAIT_MS,
  );

  const [once, onceName] = withNpm("npx runs it without installing it");
  once(
    onceName,
    async () => {
      const { code, stdout, home } = await runNpm("npx", ["--yes", "ctxrepo", "status"]);
      expect([code, stdout.endsWith(`${OWN}/ctxrepo status\n`)]).toEqual([0, true]);
      expect(existsSync(join(home, "bin"))).toBe(false);
    },
    WAIT_MS,
  );

  const [fromFiles, filesName] = withNpm(
    "npm i -g from the files of a folder, without a network, and the launcher",
  );
  fromFiles(
    filesName,
    async () => {
      const files = [`ctxrepo-${ownTarget().name}-${VERSION}.tgz`, `ctxrepo-${VERSION}.tgz`];
      const paths = files.map((file) => join(release, file));
      const { home, code } = await runNpm("npm", ["install", "--global", "--offline", ...paths]);
      expect(code).toBe(0);

      expect(await launch(home, "a").stdout.text()).toEndWith(`${OWN}/ctxrepo a\nfrom stdin`);
      expect(await launch(home, "fail").exited).toBe(3);
      const aborted = launch(home, "abort");
      await aborted.exited;
      expect(aborted.signalCode).toBe("SIGABRT");

      const waiting = launch(home, "wait");
      const output = waiting.stdout.getReader();
      expect(Buffer.from((await output.read()).value!).toString()).toBe("ready\n");
      waiting.kill("SIGTERM");
      expect(Buffer.from((await output.read()).value!).toString()).toBe("stopped\n");
      expect(await waiting.exited).toBe(7);

      rmSync(join(home, `lib/node_modules/${OWN}`), { recursive: true });
      const without = launch(home, "a");
      expect([await without.exited, await without.stderr.text()]).toEqual([
        1,
        expect.stringContaining(`${OWN}@${VERSION} is not installed`),
      ]);
    },
    WAIT_MS,
  );
});

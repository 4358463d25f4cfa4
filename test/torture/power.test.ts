// The short share of the group `power` of bun run torture, and the disk that it simulates.

import { expect, test } from "bun:test";
import { createDisk, type DiskRecord } from "../../scripts/torture/crash-images.ts";
import { power } from "../../scripts/torture/power.ts";
import { testShare } from "./share.ts";

testShare("power is lost while clients write", power, 0.025);

const record = (kind: DiskRecord["kind"], given: Partial<DiskRecord> = {}): DiskRecord => ({
  kind,
  name: "file",
  offset: 0,
  data: new Uint8Array(),
  end: 0,
  ...given,
});
const write = (text: string, offset = 0) => record("write", { data: Buffer.from(text), offset });
const textOf = (files: Map<string, Uint8Array>) => Buffer.from(files.get("file") ?? "").toString();

test("what was synced survives, and what was written later may be gone", () => {
  const disk = createDisk();
  for (const change of [
    record("create"),
    record("sync directory", { name: "." }),
    write("old"),
    record("sync"),
    write("new", 3),
  ])
    disk.apply(change);
  expect(textOf(disk.afterPowerLoss(0, () => 0.99))).toBe("old");
  expect(textOf(disk.afterPowerLoss(1, () => 0.5))).toBe("oldnew");
  expect(textOf(disk.complete())).toBe("oldnew");
});

test("a file whose folder was not synced may be missing, and one that was removed may be back", () => {
  const disk = createDisk();
  disk.apply(record("create"));
  disk.apply(write("text"));
  disk.apply(record("sync"));
  expect(disk.afterPowerLoss(1, () => 0).size).toBe(0);
  disk.apply(record("sync directory", { name: "." }));
  disk.apply(record("unlink"));
  expect(textOf(disk.afterPowerLoss(0, () => 0))).toBe("text");
  expect(disk.complete().size).toBe(0);
});

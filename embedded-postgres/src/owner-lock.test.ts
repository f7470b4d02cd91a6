import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../test/fixtures.ts";
import { followOwner, takeOwnerLock } from "./owner-lock.ts";
import { processes } from "./processes.ts";

async function ownerFile(folder: string, owner: { pid: number; startTime?: string } | undefined) {
  await writeFile(join(folder, "owner.3"), owner ? JSON.stringify(owner) : "");
}

test("data_dir_in_use: the owner lives; the message names it", async () => {
  const folder = await tempFolder();
  const living = await processes.find(process.ppid);
  await ownerFile(folder, { pid: process.ppid, startTime: living?.startTime ?? "" });

  await expect(takeOwnerLock(folder)).rejects.toMatchObject({
    code: "data_dir_in_use",
    message: expect.stringContaining(`process ${process.ppid}.`),
  });
});

test.each([
  ["is dead", { pid: 2 ** 22 + 1, startTime: "a boot/1" }],
  ["is dead, and a later process has its number", { pid: process.ppid, startTime: "a boot/1" }],
  ["lost its file's text to a loss of power", undefined],
])("taken: the owner %s", async (_what, owner) => {
  const folder = await tempFolder();
  await ownerFile(folder, owner);

  const lock = await takeOwnerLock(folder);

  expect(await readdir(folder)).toEqual(["owner.4"]);
  await lock.release();
});

test("taken again after its release, and only then", async () => {
  const folder = await tempFolder();
  const lock = await takeOwnerLock(folder);

  await expect(takeOwnerLock(folder)).rejects.toMatchObject({ code: "data_dir_in_use" });
  await lock.release();

  await expect(takeOwnerLock(folder)).resolves.toBeDefined();
  // A number that comes back could be granted twice.
  expect(await readdir(folder)).toEqual(["owner.2"]);
});

test("not taken: a starter so slow that later owners have come since, and removed the traces", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "owner.5"), "");

  expect(await followOwner(folder, 3)).toBeUndefined();

  expect(await readdir(folder)).toEqual(["owner.5"]);
});

test("of many starters that find a dead owner at once, exactly one becomes the next", async () => {
  const folder = await tempFolder();
  await ownerFile(folder, { pid: 2 ** 22 + 1, startTime: "a boot/1" });

  const starts = await Promise.allSettled(Array.from({ length: 12 }, () => takeOwnerLock(folder)));

  expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("of starters that come and go, never two own the folder", async () => {
  const folder = await tempFolder();
  let owners = 0;
  let ownersMost = 0;
  let taken = 0;
  const comeAndGo = async () => {
    for (let round = 0; round < 60; round++) {
      const lock = await takeOwnerLock(folder).catch(() => undefined);
      if (lock === undefined) continue;
      owners += 1;
      taken += 1;
      ownersMost = Math.max(ownersMost, owners);
      await readdir(folder);
      owners -= 1;
      await lock.release();
    }
  };

  await Promise.all(Array.from({ length: 6 }, comeAndGo));

  expect(ownersMost).toBe(1);
  expect(taken).toBeGreaterThan(1);
});

import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../test/fixtures.ts";
import { acquireAfter, takeOwnerLock } from "./owner-lock.ts";
import { processes } from "./processes.ts";

async function ownerFile(folder: string, owner: { pid: number; startTime?: string } | undefined) {
  await writeFile(join(folder, "owner.3"), owner ? JSON.stringify(owner) : "");
}

test("data_dir_in_use: the owner is running; the message contains its pid", async () => {
  const folder = await tempFolder();
  const parent = await processes.find(process.ppid);
  await ownerFile(folder, { pid: process.ppid, startTime: parent?.startTime ?? "" });

  await expect(takeOwnerLock(folder)).rejects.toMatchObject({
    code: "data_dir_in_use",
    message: expect.stringContaining(`process ${process.ppid}.`),
  });
});

test.each([
  ["is dead", { pid: 2 ** 22 + 1, startTime: "a boot/1" }],
  ["is dead and another process has its pid", { pid: process.ppid, startTime: "a boot/1" }],
  ["is unknown, because a power failure emptied the file", undefined],
])("acquired: the owner %s", async (_what, owner) => {
  const folder = await tempFolder();
  await ownerFile(folder, owner);

  const lock = await takeOwnerLock(folder);

  expect(await readdir(folder)).toEqual(["owner.4"]);
  await lock.release();
});

test("acquired again only after the release", async () => {
  const folder = await tempFolder();
  const lock = await takeOwnerLock(folder);

  await expect(takeOwnerLock(folder)).rejects.toMatchObject({ code: "data_dir_in_use" });
  await lock.release();

  await expect(takeOwnerLock(folder)).resolves.toBeDefined();
  // The second owner gets a new number. If a number were used again, two processes could own the folder.
  expect(await readdir(folder)).toEqual(["owner.2"]);
});

test("not acquired: later owners have used and removed the number since the folder was read", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "owner.5"), "");

  expect(await acquireAfter(folder, 3)).toBeUndefined();

  expect(await readdir(folder)).toEqual(["owner.5"]);
});

test("one of twelve concurrent starts acquires the lock of an owner that has exited", async () => {
  const folder = await tempFolder();
  await ownerFile(folder, { pid: 2 ** 22 + 1, startTime: "a boot/1" });

  const starts = await Promise.allSettled(Array.from({ length: 12 }, () => takeOwnerLock(folder)));

  expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("never two owners: six loops acquire and release the lock", async () => {
  const folder = await tempFolder();
  let owners = 0;
  let maxOwners = 0;
  let acquired = 0;
  const acquireAndRelease = async () => {
    for (let round = 0; round < 60; round++) {
      const lock = await takeOwnerLock(folder).catch(() => undefined);
      if (lock === undefined) continue;
      owners += 1;
      acquired += 1;
      maxOwners = Math.max(maxOwners, owners);
      await readdir(folder);
      owners -= 1;
      await lock.release();
    }
  };

  await Promise.all(Array.from({ length: 6 }, acquireAndRelease));

  expect(maxOwners).toBe(1);
  expect(acquired).toBeGreaterThan(1);
});

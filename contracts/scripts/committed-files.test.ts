import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { differencesBetween, readCommittedFiles, writeFiles } from "./committed-files.ts";

test("reports changed, missing and superfluous files, and writes them", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "purser-contracts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, "abi"));
  await mkdir(path.join(folder, "snapshots", "gas"), { recursive: true });
  await writeFile(path.join(folder, "abi", "account.ts"), "first\nsecond\n");
  await writeFile(path.join(folder, "snapshots", "gas", "old.json"), "{}");

  const committed = await readCommittedFiles(folder);
  const generated = new Map([
    ["abi/account.ts", "first\nchanged\n"],
    ["snapshots/storage/Account.txt", "slot 0"],
  ]);
  expect(differencesBetween(generated, committed)).toEqual([
    'contracts/abi/account.ts:2: "second" is now "changed"',
    "contracts/snapshots/gas/old.json: is no longer generated",
    "contracts/snapshots/storage/Account.txt: is missing",
  ]);

  await writeFiles(folder, generated, committed);
  const written = await readCommittedFiles(folder);
  expect(written).toEqual(generated);
  expect(differencesBetween(generated, written)).toEqual([]);
});

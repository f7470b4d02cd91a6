import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { layoutProblems } from "./layout.ts";

it("reports a long source, a long test and a folder with too many sources", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "purser-layout-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(path.join(root, "full"));
  const files = Array.from({ length: 26 }, (_, index) => [`full/source-${index}.ts`, 1] as const);
  for (const [file, lines] of [
    ...files,
    ["source.ts", 401] as const,
    ["allowed.ts", 400] as const,
    ["long.test.ts", 801] as const,
    ["allowed.test.ts", 800] as const,
  ]) {
    await writeFile(path.join(root, file), "\n".repeat(lines));
  }
  execFileSync("git", ["init", "--quiet", root]);
  execFileSync("git", ["add", "."], { cwd: root });

  expect(layoutProblems(root).sort()).toEqual([
    "full: 26 source files, at most 25",
    "long.test.ts: 801 lines, at most 800",
    "source.ts: 401 lines, at most 400",
  ]);
});

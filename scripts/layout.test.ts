import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { layoutProblems } from "./layout.ts";

it("reports a long source, a long test, a folder with too many sources and a route that calls a table", async () => {
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
  await mkdir(path.join(root, "service/src/http"), { recursive: true });
  await writeFile(path.join(root, "service/src/http/pay.ts"), "paymentRows.lockAndGet(tx, key);\n");
  execFileSync("git", ["init", "--quiet", root]);
  execFileSync("git", ["add", "."], { cwd: root });

  expect(layoutProblems(root).sort()).toEqual([
    "full: 26 source files, at most 25",
    "long.test.ts: 801 lines, at most 800",
    "service/src/http/pay.ts: calls a table. Routes and jobs call commands and queries of modules.",
    "source.ts: 401 lines, at most 400",
  ]);
});

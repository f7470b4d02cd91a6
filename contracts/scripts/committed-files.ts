import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { GeneratedFiles } from "./generated-files.ts";

/** Every file in these folders is generated. */
const GENERATED_FOLDERS = ["abi", "snapshots"];

/** Returns the files in Git, with paths relative to the folder `contracts`. */
export async function readCommittedFiles(contracts: string): Promise<GeneratedFiles> {
  const entries = await Promise.all(
    GENERATED_FOLDERS.map(
      async (folder) => await readdir(path.join(contracts, folder), { recursive: true, withFileTypes: true }),
    ),
  );
  const files = entries
    .flat()
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const relative = path.relative(contracts, file).replaceAll(path.sep, "/");
        return [relative, await readFile(file, "utf8")] as const;
      }),
    ),
  );
}

/** Returns one line for each file that differs, with its first different line. */
export function differencesBetween(generated: GeneratedFiles, committed: GeneratedFiles): string[] {
  return [...new Set([...generated.keys(), ...committed.keys()])].sort().flatMap((file) => {
    const [after, before] = [generated.get(file), committed.get(file)];
    if (after === before) return [];
    const name = `contracts/${file}`;
    if (before === undefined) return [`${name}: is missing`];
    if (after === undefined) return [`${name}: is no longer generated`];
    return [`${name}:${firstDifference(before.split("\n"), after.split("\n"))}`];
  });
}

function firstDifference(before: readonly string[], after: readonly string[]): string {
  const lines = Math.max(before.length, after.length);
  const index = [...Array(lines).keys()].findIndex((line) => before[line] !== after[line]);
  const short = (line = "") => line.trim().slice(0, 100);
  return `${index + 1}: "${short(before[index])}" is now "${short(after[index])}"`;
}

/** Writes the generated files and removes the other files of their folders. */
export async function writeFiles(
  contracts: string,
  generated: GeneratedFiles,
  committed: GeneratedFiles,
): Promise<void> {
  for (const [file, content] of generated) {
    const target = path.join(contracts, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  for (const file of committed.keys()) {
    if (!generated.has(file)) await rm(path.join(contracts, file));
  }
}

import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Returns whether the built file is missing, or older than one of the sources. A source is a file or a folder. */
export async function isOutdated(builtFile: string, sources: readonly string[]): Promise<boolean> {
  const built = await modifiedAt(builtFile);
  if (built === 0) return true;
  const times = await Promise.all(sources.map(newestIn));
  return Math.max(...times) > built;
}

/**
 * Puts a complete build in the place of the former one, with a compressed copy of each text. A running server always has a
 * whole build.
 */
export async function replaceBuild(dist: string, next: string): Promise<void> {
  const files = (await filesIn(next)).filter((file) => /\.(html|js|css|svg)$/.test(file));
  await Promise.all(
    files.map(async (file) => {
      await writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file), { level: 9 }));
    }),
  );
  await rm(dist, { recursive: true, force: true });
  await rename(next, dist);
}

async function newestIn(target: string): Promise<number> {
  return Math.max(...(await Promise.all([target, ...(await filesIn(target))].map(modifiedAt))));
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}

async function modifiedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

import { execFile } from "node:child_process";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const ROOT = import.meta.dirname;
const DIST = path.join(ROOT, "dist");
const NEXT = path.join(ROOT, "dist.next");
const VITE = path.join(path.dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin/vite.js");
const SOURCES = ["src", "index.html", "admin.html", "vite.config.ts", "package.json"];

/** Returns whether the built dashboard is missing, or older than one of its sources. */
export async function isDashboardOutdated(): Promise<boolean> {
  const built = await modifiedAt(path.join(DIST, "index.html"));
  if (built === 0) return true;
  const times = await Promise.all(SOURCES.map((name) => newestIn(path.join(ROOT, name))));
  return Math.max(...times) > built;
}

/**
 * Builds the dashboard into `dist`, with a compressed copy of each asset. The former build stays in place until the new one is
 * complete, so a running server always has a whole one.
 */
export async function buildDashboard(): Promise<void> {
  // A process of its own, because React's files for development are chosen by its environment.
  await promisify(execFile)(process.execPath, [VITE, "build", ROOT, "--outDir", NEXT, "--logLevel", "error"], {
    env: { NODE_ENV: "production" },
  });
  await compressIn(path.join(NEXT, "assets"));
  await rm(DIST, { recursive: true, force: true });
  await rename(NEXT, DIST);
}

async function compressIn(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      await writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file), { level: 9 }));
    }),
  );
}

async function newestIn(target: string): Promise<number> {
  const entries = await readdir(target, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return Math.max(...(await Promise.all([target, ...files].map(modifiedAt))));
}

async function modifiedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

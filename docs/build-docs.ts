import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { isOutdated, replaceBuild } from "../scripts/built-site.ts";

const ROOT = import.meta.dirname;
const DIST = path.join(ROOT, "dist");
const NEXT = path.join(ROOT, "dist.next");
const VITEPRESS = createRequire(import.meta.url).resolve("vitepress/package.json");
/** What is in this folder and is not a source. VitePress writes into the third. */
const NOT_SOURCES = ["dist", "dist.next", ".vitepress", "node_modules"];

/** Returns whether the built documents are missing, or older than one of their sources. */
export function areDocsOutdated(): Promise<boolean> {
  const sources = readdirSync(ROOT).filter((name) => !NOT_SOURCES.includes(name));
  return isOutdated(
    path.join(DIST, "index.html"),
    [...sources, ".vitepress/config.ts", ".vitepress/theme"].map((name) => path.join(ROOT, name)),
  );
}

/**
 * Builds the site of the documents into `dist`. The former build stays in place until the new one is complete. Throws if a link
 * leads to no page. `signal` ends the build.
 */
export async function buildDocs(signal?: AbortSignal): Promise<void> {
  const bin = path.join(path.dirname(VITEPRESS), "bin/vitepress.js");
  const command = [bin, "build", ROOT, "--outDir", NEXT];
  await promisify(execFile)(process.execPath, command, { env: { NODE_ENV: "production" }, signal });
  await replaceBuild(DIST, NEXT);
}

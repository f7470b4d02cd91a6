import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { isOutdated, replaceBuild } from "../scripts/built-site.ts";

const ROOT = import.meta.dirname;
const DIST = path.join(ROOT, "dist");
const NEXT = path.join(ROOT, "dist.next");
const VITE = path.join(path.dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin/vite.js");
const SOURCES = ["src", "index.html", "admin.html", "vite.config.ts", "package.json"];

/** Returns whether the built dashboard is missing, or older than one of its sources. */
export function isDashboardOutdated(): Promise<boolean> {
  return isOutdated(
    path.join(DIST, "index.html"),
    SOURCES.map((name) => path.join(ROOT, name)),
  );
}

/** Builds the dashboard into `dist`. The former build stays in place until the new one is complete. */
export async function buildDashboard(): Promise<void> {
  // A process of its own, because React's files for development are chosen by its environment.
  await promisify(execFile)(process.execPath, [VITE, "build", ROOT, "--outDir", NEXT, "--logLevel", "error"], {
    env: { NODE_ENV: "production" },
  });
  await replaceBuild(DIST, NEXT);
}

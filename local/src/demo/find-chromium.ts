import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "@purser/service/config/reader.ts";

/** The headless shell has the same engine, cookies and policies as Chromium, but uses a third of the CPU. */
const NAMES = ["chromium-headless-shell", "chromium"];

/** The sandbox is disabled because it does not work as root. The other flags prevent requests to other servers. */
export const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--no-first-run",
];

/** Returns the path of Chromium: `PURSER_CHROMIUM`, or a file in a folder of `PATH`. Undefined if it is not installed. */
export function findChromium({ PURSER_CHROMIUM: named, PATH = "" }: Environment): string | undefined {
  if (named !== undefined) return named;
  const folders = PATH.split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

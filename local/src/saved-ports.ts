import { join } from "node:path";
import { SANDBOX_VENDOR_NAMES } from "@purser/simulators/sandbox/vendors.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

/**
 * These servers keep their ports after a restart, because links, bookmarks and DATABASE_URLs contain the port numbers.
 */
const NAMES = ["postgres", "mailbox", "sandbox", "networks", ...SANDBOX_VENDOR_NAMES] as const;

export type SavedPorts = Readonly<Partial<Record<(typeof NAMES)[number], number>>>;

/** Returns the ports that the last start used. Ignores invalid entries. */
export async function readSavedPorts(dataDir: string): Promise<SavedPorts> {
  const known = parse(await readPrivateFile(fileOf(dataDir)));
  return Object.fromEntries(NAMES.map((name) => [name, known[name]]).filter(([, port]) => isPort(port)));
}

export async function writeSavedPorts(dataDir: string, ports: SavedPorts): Promise<void> {
  await writePrivateFile(fileOf(dataDir), `${JSON.stringify(ports, null, 2)}\n`);
}

/** Returns the port in a URL. The URL must contain one. */
export function portOf(url: string): number {
  return Number(new URL(url).port);
}

function fileOf(dataDir: string): string {
  return join(dataDir, "ports.json");
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const known: unknown = JSON.parse(text ?? "");
    return typeof known === "object" && known !== null ? { ...known } : {};
  } catch {
    return {};
  }
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= 65_535;
}

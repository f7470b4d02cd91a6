import { join } from "node:path";
import { SANDBOX_VENDOR_NAMES } from "@purser/simulators/sandbox/vendors.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

/** Those who listen on a port that somebody has kept: in a link, in a bookmark, in a DATABASE_URL. */
const NAMES = ["postgres", "mailbox", "sandbox", ...SANDBOX_VENDOR_NAMES] as const;

export type KeptPorts = Readonly<Partial<Record<(typeof NAMES)[number], number>>>;

/** The ports that a data folder's parts had when it was last started. A file that holds anything else holds none. */
export async function readKeptPorts(dataDir: string): Promise<KeptPorts> {
  const known = parse(await readPrivateFile(fileOf(dataDir)));
  return Object.fromEntries(
    NAMES.map((name) => [name, known[name]]).filter(([, port]) => isPort(port)),
  );
}

export async function writeKeptPorts(dataDir: string, ports: KeptPorts): Promise<void> {
  await writePrivateFile(fileOf(dataDir), `${JSON.stringify(ports, null, 2)}\n`);
}

/** The port of an address that names one. */
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

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { CONTRACTS_FOLDER } from "./forge.ts";

const README = path.join(CONTRACTS_FOLDER, "README.md");

/** Returns what stands between the markers of a generated section of `contracts/README.md`. */
export async function readSection(name: string): Promise<string> {
  const { text, start, end } = await findSection(name);
  return text.slice(start, end);
}

/** Replaces what stands between the markers of a generated section of `contracts/README.md`. */
export async function writeSection(name: string, content: string): Promise<void> {
  const { text, start, end } = await findSection(name);
  await writeFile(README, text.slice(0, start) + content + text.slice(end));
}

async function findSection(name: string) {
  const text = await readFile(README, "utf8");
  const [opening, closing] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
  const start = text.indexOf(opening) + opening.length;
  const end = text.indexOf(closing, start);
  if (start < opening.length || end < 0) {
    throw new Error(`contracts/README.md has no section between <!-- ${name} --> and its end.`);
  }
  return { text, start, end };
}

import { randomUUID } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file (mode 0600) atomically and durably: after a power failure, it has either its old or its new content.
 */
export async function writeDurableFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await renameDurably(draft, path);
}

/** Renames a file or folder and syncs the folder that contains it, so that the new name survives a power failure. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  const folder = await open(dirname(to), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Returns the text of a file, or undefined if it does not exist. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Atomically writes a file that only its owner can read. The content is on disk when the promise resolves. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`;
  {
    await using file = await open(unfinished, "w", 0o600);
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(unfinished, path);
  await using folder = await open(dirname(path), "r");
  await folder.sync();
}

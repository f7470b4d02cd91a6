import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

/** What the local profile makes for itself at its first start, and keeps in files that only their owner can read. */
export interface LocalSecrets {
  readonly keyEncryptionKey: string;
  readonly statementKey: string;
  readonly accessTokenKey: string;
  readonly captchaSecret: string;
  readonly ownerPassword: string;
  readonly servicePassword: string;
}

const MAKERS: Readonly<Record<keyof LocalSecrets, () => string>> = {
  // Marked, so that a production profile knows it for what it is.
  keyEncryptionKey: () => `local:${randomBytes(32).toString("base64")}`,
  statementKey: newEd25519Key,
  accessTokenKey: newEd25519Key,
  captchaSecret: () => randomBytes(32).toString("hex"),
  ownerPassword: () => randomBytes(24).toString("hex"),
  servicePassword: () => randomBytes(24).toString("hex"),
};

/** The secrets of a data folder; those that are missing are made. */
export async function readOrMakeSecrets(dataDir: string): Promise<LocalSecrets> {
  const folder = join(dataDir, "secrets");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const entries = await Promise.all(
    Object.entries(MAKERS).map(async ([name, make]) => [
      name,
      await readOrMake(join(folder, name), make),
    ]),
  );
  return Object.fromEntries(entries);
}

async function readOrMake(path: string, make: () => string): Promise<string> {
  const known = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (known !== undefined) return known;
  const made = make();
  await writePrivateFile(path, made);
  return made;
}

/** Writes a file that only its owner can read, whole or not at all. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`;
  await using file = await open(unfinished, "w", 0o600);
  await file.writeFile(text);
  await file.sync();
  await rename(unfinished, path);
}

function newEd25519Key(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

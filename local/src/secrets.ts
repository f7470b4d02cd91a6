import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createFileKeyEncryptionKey } from "@purser/service/adapters/key-encryption-key/file-key-encryption-key.ts";
import { newEd25519Key } from "@purser/service/config/new-secrets.ts";
import { createStatementSigner } from "@purser/service/crypto/statement-signer.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";
import { StartError } from "./start-error.ts";

/** What the local profile makes for itself at its first start, and keeps in files that only their owner can read. */
export interface LocalSecrets {
  readonly keyEncryptionKey: string;
  readonly statementKey: string;
  readonly accessTokenKey: string;
  readonly adminTokenKey: string;
  readonly captchaSecret: string;
  readonly ownerPassword: string;
  readonly servicePassword: string;
  /** Of the role under which Neon's simulator makes databases. */
  readonly sandboxPassword: string;
}

/** The names of the keys that rows of the database were sealed or signed with. */
export type KeysInUse = Readonly<Partial<Record<keyof LocalSecrets, readonly string[]>>>;

interface Secret {
  readonly file: string;
  make(): string;
  /** Under which name the database knows it. Throws where the text is no such secret. */
  idOf(text: string): string;
  /** What another one in its place would cost, of a secret that a database cannot be without. */
  readonly loss?: string;
}

const LOCAL_MARK = "local:";

const SECRETS: Readonly<Record<keyof LocalSecrets, Secret>> = {
  keyEncryptionKey: {
    file: "key-encryption-key",
    // Marked, so that a production profile knows it for what it is.
    make: () => `${LOCAL_MARK}${randomBytes(32).toString("base64")}`,
    idOf: (text) => createFileKeyEncryptionKey(text.replace(LOCAL_MARK, "")).id,
    loss: "Without it no API key signs and no variable opens",
  },
  statementKey: {
    file: "statement-key",
    make: newEd25519Key,
    idOf: (text) => createStatementSigner(text).keyId,
    loss: "Without it the audit trail no longer matches what was anchored",
  },
  // Whoever is logged in gets a new access token by refreshing.
  accessTokenKey: {
    file: "access-token-key",
    make: newEd25519Key,
    idOf: (text) => createStatementSigner(text).keyId,
  },
  adminTokenKey: {
    file: "admin-token-key",
    make: newEd25519Key,
    idOf: (text) => createStatementSigner(text).keyId,
  },
  captchaSecret: { file: "captcha-secret", make: newHexSecret, idOf: hexId },
  // All three are set in the database at each start.
  ownerPassword: { file: "owner-password", make: newHexSecret, idOf: hexId },
  servicePassword: { file: "service-password", make: newHexSecret, idOf: hexId },
  sandboxPassword: { file: "sandbox-password", make: newHexSecret, idOf: hexId },
};

/**
 * The secrets of a data folder; those that are missing or unreadable are made. Throws StartError where that is one which
 * the database was made with and cannot be read without, or where another stands in its place.
 */
export async function readOrMakeSecrets(
  dataDir: string,
  keysInUse: KeysInUse = {},
): Promise<LocalSecrets> {
  const folder = join(dataDir, "secrets");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const read = (name: keyof LocalSecrets) =>
    readOrMake(folder, SECRETS[name], keysInUse[name] ?? []);
  // One after another: a refusal comes before anything is made.
  return {
    keyEncryptionKey: await read("keyEncryptionKey"),
    statementKey: await read("statementKey"),
    accessTokenKey: await read("accessTokenKey"),
    adminTokenKey: await read("adminTokenKey"),
    captchaSecret: await read("captchaSecret"),
    ownerPassword: await read("ownerPassword"),
    servicePassword: await read("servicePassword"),
    sandboxPassword: await read("sandboxPassword"),
  };
}

async function readOrMake(
  folder: string,
  secret: Secret,
  idsInUse: readonly string[],
): Promise<string> {
  const path = join(folder, secret.file);
  const known = await readPrivateFile(path);
  const id = known === undefined ? undefined : readId(secret, known);
  if (idsInUse.some((idInUse) => idInUse !== id)) {
    throw new StartError(
      `The file ${path} ${known === undefined ? "is missing" : "holds another key"}, and the database needs the key ` +
        `it was made with. ${secret.loss}, so nothing was put in its place.\n` +
        "Put the file back from a copy, or remove the whole data folder to begin with an empty database.",
    );
  }
  if (known !== undefined && id !== undefined) return known;
  const made = secret.make();
  await writePrivateFile(path, made);
  return made;
}

function readId(secret: Secret, text: string): string | undefined {
  try {
    return secret.idOf(text);
  } catch {
    return undefined;
  }
}

function newHexSecret(): string {
  return randomBytes(32).toString("hex");
}

function hexId(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error("This is not a secret of ours.");
  return "";
}

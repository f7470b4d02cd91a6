import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createFileKeyEncryptionKey } from "@purser/service/adapters/key-encryption-key/file-key-encryption-key.ts";
import { newEd25519Key } from "@purser/service/config/new-secrets.ts";
import { createStatementSigner } from "@purser/service/crypto/statement-signer.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";
import { StartError } from "./start-error.ts";

/** The secrets that the first start creates. Each is stored in a file that only its owner can read. */
export interface LocalSecrets {
  readonly keyEncryptionKey: string;
  readonly statementKey: string;
  readonly accessTokenKey: string;
  readonly adminTokenKey: string;
  readonly captchaSecret: string;
  readonly ownerPassword: string;
  readonly servicePassword: string;
  /** Password of the database role that can read personal data. */
  readonly piiPassword: string;
  /** Password of the database role with which the Neon simulator creates databases. */
  readonly sandboxPassword: string;
}

/** For each secret, the IDs of the keys with which rows in the database are encrypted or signed. */
export type KeysInUse = Readonly<Partial<Record<keyof LocalSecrets, readonly string[]>>>;

interface Secret {
  readonly file: string;
  create(): string;
  /**
   * Returns the key's ID, or an empty string for a secret that is not a key. Throws if the text is not a valid secret.
   */
  idOf(text: string): string;
  /**
   * The consequence of losing the secret, for the error message. Set only if rows in the database depend on the secret.
   */
  readonly loss?: string;
}

const LOCAL_PREFIX = "local:";

const SECRETS: Readonly<Record<keyof LocalSecrets, Secret>> = {
  keyEncryptionKey: {
    file: "key-encryption-key",
    // Production servers reject a key with this prefix.
    create: () => `${LOCAL_PREFIX}${randomBytes(32).toString("base64")}`,
    idOf: (text) => createFileKeyEncryptionKey(text.replace(LOCAL_PREFIX, "")).id,
    loss: "Without it, API keys do not work and variables cannot be decrypted",
  },
  statementKey: {
    file: "statement-key",
    create: newEd25519Key,
    idOf: (text) => createStatementSigner(text).keyId,
    loss: "Without it, the audit trail does not match its anchored checkpoints",
  },
  // This key can be replaced without harm: clients get a new access token by refreshing.
  accessTokenKey: {
    file: "access-token-key",
    create: newEd25519Key,
    idOf: (text) => createStatementSigner(text).keyId,
  },
  adminTokenKey: {
    file: "admin-token-key",
    create: newEd25519Key,
    idOf: (text) => createStatementSigner(text).keyId,
  },
  captchaSecret: { file: "captcha-secret", create: newHexSecret, idOf: hexId },
  // These passwords can be replaced without harm: each start sets them in the database.
  ownerPassword: { file: "owner-password", create: newHexSecret, idOf: hexId },
  servicePassword: { file: "service-password", create: newHexSecret, idOf: hexId },
  piiPassword: { file: "pii-password", create: newHexSecret, idOf: hexId },
  sandboxPassword: { file: "sandbox-password", create: newHexSecret, idOf: hexId },
};

/**
 * Returns the secrets in a data folder. Creates missing secrets and replaces invalid ones. Throws StartError if rows in
 * the database need a key that is missing or has been replaced.
 */
export async function readOrCreateSecrets(dataDir: string, keysInUse: KeysInUse = {}): Promise<LocalSecrets> {
  const folder = join(dataDir, "secrets");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const read = (name: keyof LocalSecrets) => readOrCreate(folder, SECRETS[name], keysInUse[name] ?? []);
  // The secrets are read one after the other. If a key that is in use is missing, `read` throws, and no further secrets
  // are created.
  return {
    keyEncryptionKey: await read("keyEncryptionKey"),
    statementKey: await read("statementKey"),
    accessTokenKey: await read("accessTokenKey"),
    adminTokenKey: await read("adminTokenKey"),
    captchaSecret: await read("captchaSecret"),
    ownerPassword: await read("ownerPassword"),
    servicePassword: await read("servicePassword"),
    piiPassword: await read("piiPassword"),
    sandboxPassword: await read("sandboxPassword"),
  };
}

async function readOrCreate(folder: string, secret: Secret, idsInUse: readonly string[]): Promise<string> {
  const path = join(folder, secret.file);
  const known = await readPrivateFile(path);
  const id = known === undefined ? undefined : readId(secret, known);
  if (idsInUse.some((idInUse) => idInUse !== id)) {
    throw new StartError(
      `The file ${path} ${known === undefined ? "is missing" : "contains a different key"}, and rows in the database need the ` +
        `original key. ${secret.loss}. No replacement was created.\n` +
        "Restore the file from a backup, or remove the data folder to start with an empty database.",
    );
  }
  if (known !== undefined && id !== undefined) return known;
  const created = secret.create();
  await writePrivateFile(path, created);
  return created;
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
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error("The secret is not 64 hexadecimal digits.");
  return "";
}

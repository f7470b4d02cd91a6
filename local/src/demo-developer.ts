import { createSecretKey, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { App } from "@purser/service/app.ts";
import { appendAuditEntry } from "@purser/service/audit/append.ts";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import type { Tx } from "@purser/service/db/database.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { newId, type TenantId } from "@purser/service/foundation/ids.ts";
import type { Mode } from "@purser/service/foundation/vocabulary.ts";
import { insertVerifiedDeveloper } from "@purser/service/modules/developers/developers.ts";
import { issueApiKey } from "@purser/service/modules/developers/keys/api-keys.ts";
import { loadApiKey } from "@purser/service/modules/developers/keys/load-api-key.ts";
import { findTenantByEmail } from "@purser/service/modules/developers/queries.ts";
import { openVault, type TenantVault } from "@purser/service/vault/vault.ts";
import { parseFields, toFields } from "./file-fields.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

/** A key pair with the API's field names, as stored in `demo.json`. */
export interface DemoKeyPair {
  readonly api_key: string;
  readonly api_secret: string;
}

/** The developer account that the first start creates, so that a user can sign requests immediately. */
export interface DemoDeveloper {
  readonly email: string;
  readonly password: string;
  readonly live: DemoKeyPair;
  readonly test: DemoKeyPair;
}

const EMAIL = "demo@purser.local";

/**
 * Returns the demo developer that `demo.json` in the data folder describes. The first start creates the account. Later
 * starts replace missing or invalid credentials and report this with `note`. Keys that were issued earlier stay valid
 * until they are revoked. If the process is killed during the start, the next start repairs the account.
 */
export async function ensureDemoDeveloper(
  app: App,
  dataDir: string,
  note: (text: string) => void,
): Promise<DemoDeveloper> {
  const path = join(dataDir, "demo.json");
  const known = readDemo(await readPrivateFile(path));
  const live = await findWorkingPair(app, "live", known.live);
  const test = await findWorkingPair(app, "test", known.test);
  if (known.password !== undefined && live !== undefined && test !== undefined) {
    return { email: EMAIL, password: known.password, live, test };
  }

  const earlierTenantId = await findTenantByEmail(app.db, EMAIL);
  if (earlierTenantId !== undefined) {
    note(`${path} had missing or invalid credentials. It now has new keys or a new password.`);
  }
  const tenantId = earlierTenantId ?? newId("dev");
  const password = known.password ?? randomBytes(12).toString("base64url");
  const passwordHash = await app.passwords.hash(password);
  const vault = await openVault(app, tenantId);
  return withTransaction(app.db, tenantId, async (tx) => {
    const createdAt = app.clock.now();
    await insertVerifiedDeveloper(tx, { tenantId, email: EMAIL, passwordHash, createdAt });
    const issue = (mode: Mode) => issuePair(tx, vault, { tenantId, mode, createdAt });
    const demo = {
      email: EMAIL,
      password,
      live: live ?? (await issue("live")),
      test: test ?? (await issue("test")),
    };
    // The file is written before the commit. Otherwise, the database could contain a key pair that is missing from the
    // file.
    await writePrivateFile(path, `${JSON.stringify(demo, null, 2)}\n`);
    return demo;
  });
}

async function issuePair(
  tx: Tx,
  vault: TenantVault,
  command: { readonly tenantId: TenantId; readonly mode: Mode; readonly createdAt: Date },
): Promise<DemoKeyPair> {
  const { tenantId, mode, createdAt } = command;
  const name = `demo ${mode}`;
  const issued = await issueApiKey(tx, vault, { ...command, name, isAccountPair: true });
  const actor = { type: "system", id: "local-profile", key_id: null, ip: null } as const;
  await appendAuditEntry(
    tx,
    { tenantId, mode, actor, requestId: null },
    {
      action: "api_key.created",
      subject: { type: "api_key", id: issued.key.keyId },
      facts: { name, mode },
      occurredAt: createdAt,
    },
  );
  return { api_key: issued.apiKey, api_secret: issued.apiSecret ?? "" };
}

/** Returns the valid parts of the file, which a user may have edited. */
function readDemo(text: string | undefined): Partial<DemoDeveloper> {
  const { password, live, test } = parseFields(text);
  return {
    ...(typeof password === "string" && password !== "" && { password }),
    ...readPair("live", live),
    ...readPair("test", test),
  };
}

function readPair(mode: Mode, value: unknown): Partial<Record<Mode, DemoKeyPair>> {
  const { api_key, api_secret } = toFields(value);
  if (typeof api_key !== "string" || typeof api_secret !== "string") return {};
  return { [mode]: { api_key, api_secret } };
}

/**
 * Returns `pair` if its key is not revoked and has this mode, and its secret is correct. Otherwise returns undefined.
 */
async function findWorkingPair(app: App, mode: Mode, pair: DemoKeyPair | undefined): Promise<DemoKeyPair | undefined> {
  if (pair === undefined) return undefined;
  const key = await loadApiKey(app, sha256Hex(pair.api_key));
  const signingKey = createSecretKey(Buffer.from(sha256Hex(pair.api_secret)));
  const works = key?.mode === mode && key.verificationKey.equals(signingKey);
  return works ? pair : undefined;
}

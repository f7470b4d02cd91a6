import { createSecretKey, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { App } from "@purser/service/app.ts";
import { appendAuditEntry } from "@purser/service/audit/append.ts";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import type { Tx } from "@purser/service/db/database.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { newId, type TenantId } from "@purser/service/foundation/ids.ts";
import type { Mode } from "@purser/service/foundation/vocabulary.ts";
import {
  findTenantByEmail,
  insertVerifiedDeveloper,
  issueApiKey,
  loadApiKey,
} from "@purser/service/modules/developers/index.ts";
import { openVault, type TenantVault } from "@purser/service/vault/open-vault.ts";
import { fieldsOf, membersOf } from "./file-fields.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

/** A key pair, in the words of the wire: this is what `demo.json` holds. */
export interface DemoPair {
  readonly api_key: string;
  readonly api_secret: string;
}

/** The developer that the first start makes, so that there is somebody to sign as. */
export interface DemoDeveloper {
  readonly email: string;
  readonly password: string;
  readonly live: DemoPair;
  readonly test: DemoPair;
}

const EMAIL = "demo@purser.local";

/**
 * The demo developer of a data folder, as `demo.json` keeps it. What the file does not hold, or what no longer works, is
 * made anew and written, and `note` is told; a kill in between is mended by the next start in the same way. Keys that stood
 * there before go on working until they are revoked.
 */
export async function ensureDemoDeveloper(
  app: App,
  dataDir: string,
  note: (text: string) => void,
): Promise<DemoDeveloper> {
  const path = join(dataDir, "demo.json");
  const known = readDemo(await readPrivateFile(path));
  const live = await workingPair(app, "live", known.live);
  const test = await workingPair(app, "test", known.test);
  if (known.password !== undefined && live !== undefined && test !== undefined) {
    return { email: EMAIL, password: known.password, live, test };
  }

  const earlierTenantId = await findTenantByEmail(app.db, EMAIL);
  if (earlierTenantId !== undefined) {
    note(`${path} did not hold what works: it has new keys or a new password now.`);
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
    // Before the commit: a pair that is in the database and in no file could never be shown again.
    await writePrivateFile(path, `${JSON.stringify(demo, null, 2)}\n`);
    return demo;
  });
}

async function issuePair(
  tx: Tx,
  vault: TenantVault,
  command: { readonly tenantId: TenantId; readonly mode: Mode; readonly createdAt: Date },
): Promise<DemoPair> {
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

/** What a file that anybody may have edited holds of a demo developer. */
function readDemo(text: string | undefined): Partial<DemoDeveloper> {
  const { password, live, test } = fieldsOf(text);
  return {
    ...(typeof password === "string" && password !== "" && { password }),
    ...readPair("live", live),
    ...readPair("test", test),
  };
}

function readPair(mode: Mode, value: unknown): Partial<Record<Mode, DemoPair>> {
  const { api_key, api_secret } = membersOf(value);
  if (typeof api_key !== "string" || typeof api_secret !== "string") return {};
  return { [mode]: { api_key, api_secret } };
}

/** The pair, where requests can be signed with it. */
async function workingPair(
  app: App,
  mode: Mode,
  pair: DemoPair | undefined,
): Promise<DemoPair | undefined> {
  if (pair === undefined) return undefined;
  const key = await loadApiKey(app, sha256Hex(pair.api_key));
  const signingKey = createSecretKey(Buffer.from(sha256Hex(pair.api_secret)));
  const works = key?.mode === mode && key.verificationKey.equals(signingKey);
  return works ? pair : undefined;
}

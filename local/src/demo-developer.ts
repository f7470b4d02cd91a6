import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "@purser/service/app.ts";
import { appendAuditEntry } from "@purser/service/audit/append.ts";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { newId, type TenantId } from "@purser/service/foundation/ids.ts";
import type { Mode } from "@purser/service/foundation/vocabulary.ts";
import {
  findTenantByEmail,
  insertVerifiedDeveloper,
  issueApiKey,
  loadApiKey,
} from "@purser/service/modules/developers/index.ts";
import { openVault } from "@purser/service/vault/open-vault.ts";
import { writePrivateFile } from "./secrets.ts";

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
 * The demo developer of a data folder, as `demo.json` keeps it. Where the file is missing, or names keys that no longer
 * work, new pairs are made and written; a kill in between is mended by the next start in the same way.
 */
export async function ensureDemoDeveloper(app: App, dataDir: string): Promise<DemoDeveloper> {
  const path = join(dataDir, "demo.json");
  const known = await readDemo(path);
  if (known !== undefined && (await works(app, known))) return known;

  const password = known?.password ?? randomBytes(12).toString("base64url");
  const tenantId = (await findTenantByEmail(app.db, EMAIL)) ?? newId("dev");
  const passwordHash = await app.passwords.hash(password);
  const vault = await openVault(app, tenantId);
  return withTransaction(app.db, tenantId, async (tx) => {
    const createdAt = app.clock.now();
    await insertVerifiedDeveloper(tx, { tenantId, email: EMAIL, passwordHash, createdAt });
    const issue = async (mode: Mode): Promise<DemoPair> => {
      const name = `demo ${mode}`;
      const issued = await issueApiKey(tx, vault, {
        tenantId,
        mode,
        name,
        createdAt,
        isAccountPair: true,
      });
      await appendAuditEntry(tx, systemActor(tenantId, mode), {
        action: "api_key.created",
        subject: { type: "api_key", id: issued.key.keyId },
        facts: { name, mode },
        occurredAt: createdAt,
      });
      return { api_key: issued.apiKey, api_secret: issued.apiSecret ?? "" };
    };
    const demo = { email: EMAIL, password, live: await issue("live"), test: await issue("test") };
    // Before the commit: a pair that is in the database and in no file could never be shown again.
    await writePrivateFile(path, `${JSON.stringify(demo, null, 2)}\n`);
    return demo;
  });
}

async function readDemo(path: string): Promise<DemoDeveloper | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function works(app: App, { live, test }: DemoDeveloper): Promise<boolean> {
  const found = await Promise.all(
    [live, test].map((pair) => loadApiKey(app, sha256Hex(pair.api_key))),
  );
  return found.every((key) => key !== undefined);
}

function systemActor(tenantId: TenantId, mode: Mode) {
  const actor = { type: "system", id: "local-profile", key_id: null, ip: null } as const;
  return { tenantId, mode, actor, requestId: null };
}

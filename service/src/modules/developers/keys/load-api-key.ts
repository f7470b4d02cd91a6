import { createSecretKey, type KeyObject } from "node:crypto";
import type { App } from "../../../app.ts";
import { importEd25519PublicKey } from "../../../crypto/ed25519.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { openVault } from "../../../vault/vault.ts";
import { isInactive } from "../queries.ts";
import { signingKeyContext } from "./api-keys.ts";
import type { KeyAuthority } from "./key-authority.ts";
import { type ApiKey, apiKeyLookupRows, findSigningApiKey } from "./queries.ts";

/** The data of an API key that the HTTP layer needs to authenticate requests. */
export interface LoadedApiKey
  extends Omit<KeyAuthority, "expiresAt">,
    Pick<ApiKey, "tenantId" | "keyId" | "signatureAlg" | "graceExpiresAt"> {
  /** The HMAC key or the Ed25519 public key that verifies signatures. */
  readonly verificationKey: KeyObject;
  readonly emailVerified: boolean;
  /** The key's expiry or the end of its grace period, whichever is earlier. Null if the key has neither. */
  readonly endsAt: Date | null;
}

/**
 * Returns the key with this hash. Returns undefined if the key is unknown or revoked, or if its developer is suspended
 * or closed. The caller must check `endsAt`.
 */
export async function loadApiKey(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  keyHash: string,
): Promise<LoadedApiKey | undefined> {
  const lookup = await apiKeyLookupRows.find(app.db, { keyHash });
  if (lookup === undefined) return undefined;
  const row = await withTransaction(app.db, lookup.tenantId, (tx) => findSigningApiKey(tx, lookup));
  if (row === undefined || row.revokedAt !== null) return undefined;
  if (isInactive(row.developerStatus)) return undefined;

  return {
    ...row,
    verificationKey: await verificationKeyOf(app, row),
    emailVerified: row.emailVerifiedAt !== null,
    endsAt: earlier(row.expiresAt, row.graceExpiresAt),
  };
}

async function verificationKeyOf(
  app: Parameters<typeof loadApiKey>[0],
  row: NonNullable<Awaited<ReturnType<typeof findSigningApiKey>>>,
): Promise<KeyObject> {
  if (row.publicKey !== null) return importEd25519PublicKey(row.publicKey);
  invariant(row.signingKeySealed !== null, "a key without a public key has a signing key");
  const vault = await openVault(app, row.tenantId);
  return createSecretKey(vault.open(signingKeyContext(row.keyId), row.signingKeySealed));
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

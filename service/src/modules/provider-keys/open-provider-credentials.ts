import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { openVault } from "../../vault/open-vault.ts";
import { listSecrets, type ProviderKeyOwner, touchProviderKeys } from "./queries.ts";
import { providerSecretContext } from "./sealed-columns.ts";

/** Minimum time between two updates of `lastUsedAt`. */
const USE_RECORDED_EVERY_MS = 60_000;

/** The only field whose value is a list. */
const LIST_FIELD = "chains";

/**
 * Decrypts the tenant's keys for a provider, for use in a single vendor call, and records the use. Returns undefined if
 * no keys are configured. Callers must not store the keys.
 */
export async function openProviderCredentials(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  owner: ProviderKeyOwner,
): Promise<ProviderCredentials | undefined> {
  const vault = await openVault(app, owner.tenantId);
  const at = app.clock.now();
  const secrets = await withTransaction(app.db, owner.tenantId, async (tx) => {
    await touchProviderKeys(tx, owner, {
      at,
      recordedBefore: new Date(at.getTime() - USE_RECORDED_EVERY_MS),
    });
    return listSecrets(tx, owner);
  });
  if (secrets.length === 0) return undefined;
  const entries = secrets.map(({ field, version, sealed }) => {
    const context = providerSecretContext({ ...owner, field, version });
    const text = vault.open(context, sealed).toString("utf8");
    return [field, field === LIST_FIELD ? JSON.parse(text) : text] as const;
  });
  return Object.fromEntries(entries);
}

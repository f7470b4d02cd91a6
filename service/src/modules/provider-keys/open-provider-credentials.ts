import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { openVault } from "../../vault/open-vault.ts";
import { listSecrets, type ProviderKeyOwner, touchProviderKeys } from "./queries.ts";
import { providerSecretContext } from "./secret-context.ts";

/** Uses within a minute are noted as one. */
const NOTED_EVERY_MS = 60_000;

/** The one field that is a list. */
const LIST = "chains";

/**
 * The tenant's own keys at a provider, for an adapter that is about to use them; the use is noted. Undefined where none are
 * configured. They are to be forgotten with the call that they were opened for.
 */
export async function openProviderCredentials(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  place: ProviderKeyOwner,
): Promise<ProviderCredentials | undefined> {
  const vault = await openVault(app, place.tenantId);
  const at = app.clock.now();
  const secrets = await withTransaction(app.db, place.tenantId, async (tx) => {
    await touchProviderKeys(tx, place, {
      at,
      notedBefore: new Date(at.getTime() - NOTED_EVERY_MS),
    });
    return listSecrets(tx, place);
  });
  if (secrets.length === 0) return undefined;
  const entries = secrets.map(({ field, version, sealed }) => {
    const context = providerSecretContext({ ...place, field, version });
    const text = vault.open(context, sealed).toString("utf8");
    return [field, field === LIST ? JSON.parse(text) : text] as const;
  });
  return Object.fromEntries(entries);
}

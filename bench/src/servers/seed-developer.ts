import type { App } from "@purser/service/app.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { newId, type TenantId } from "@purser/service/foundation/ids.ts";
import type { Mode } from "@purser/service/foundation/vocabulary.ts";
import { insertVerifiedDeveloper } from "@purser/service/modules/developers/developers.ts";
import { issueApiKey } from "@purser/service/modules/developers/keys/api-keys.ts";
import { openVault } from "@purser/service/vault/vault.ts";
import type { KeyPair } from "../signer.ts";

export interface Developer extends KeyPair {
  readonly tenantId: TenantId;
  readonly email: string;
}

/** Inserts a verified developer with an API key, by default in live mode. The developer can log in only if a password hash is supplied. */
export async function seedDeveloper(
  app: App,
  { passwordHash = "none", mode = "live" }: { readonly passwordHash?: string; readonly mode?: Mode } = {},
): Promise<Developer> {
  const tenantId = newId("dev");
  const createdAt = app.clock.now();
  const email = `${tenantId.toLowerCase()}@example.com`;
  const vault = await openVault(app, tenantId);
  const issued = await withTransaction(app.db, tenantId, async (tx) => {
    await insertVerifiedDeveloper(tx, { tenantId, email, passwordHash, createdAt });
    return issueApiKey(tx, vault, {
      tenantId,
      mode,
      name: "bench",
      createdAt,
      isAccountPair: false,
    });
  });
  return { tenantId, email, apiKey: issued.apiKey, apiSecret: issued.apiSecret ?? "" };
}

import type { App } from "../../app.ts";
import { GENESIS_HASH } from "../../audit/chains/chain.ts";
import { auditHeadRows } from "../../audit/chains/queries.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { KEYED_PROVIDERS, type KeyedProvider, type Mode } from "../../foundation/vocabulary.ts";
import { listProviderKeyRows, type ProviderKeys } from "./queries.ts";

export interface ProviderKeyStatus {
  readonly provider: KeyedProvider;
  /** Null if no keys are configured for the provider. */
  readonly keys: ProviderKeys | null;
}

/**
 * Returns all providers with the metadata of their keys, and the latest hash of the tenant's audit chain for provider
 * keys.
 */
export async function listProviderKeys(
  app: Pick<App, "db">,
  scope: { readonly tenantId: TenantId; readonly mode: Mode },
): Promise<{ readonly statuses: readonly ProviderKeyStatus[]; readonly auditHead: string }> {
  const rows = await listProviderKeyRows(app.db, scope);
  const head = await auditHeadRows.find(app.db, { tenantId: scope.tenantId, chain: "provider_keys" });
  const statuses = KEYED_PROVIDERS.map((provider) => ({
    provider,
    keys: rows.find((row) => row.provider === provider && row.configured) ?? null,
  }));
  return { statuses, auditHead: head?.hash ?? GENESIS_HASH };
}

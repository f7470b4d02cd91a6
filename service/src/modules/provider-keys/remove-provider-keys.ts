import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { lockHead } from "../../audit/chains/queries.ts";
import { requireAnchoring } from "../../audit/checkpoints/unanchored-entries.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { AuditId } from "../../foundation/ids.ts";
import type { KeyedProvider } from "../../foundation/vocabulary.ts";
import { keyFieldsOf } from "./provider-kinds.ts";
import { deleteSecrets, findProviderKeys, upsertProviderKeys } from "./queries.ts";
import { recordKeyChange } from "./record-key-change.ts";

export interface RemoveProviderKeys {
  readonly actor: Actor;
  readonly provider: KeyedProvider;
}

/** Both fields are null if no keys were configured. */
export interface RemovedProviderKeys {
  readonly deletedAt: Date | null;
  readonly auditId: AuditId | null;
}

/**
 * Deletes the tenant's keys for a provider. The version is incremented and retained, so that keys saved later never
 * reuse a version.
 */
export async function removeProviderKeys(
  app: Pick<App, "db" | "clock">,
  { actor, provider }: RemoveProviderKeys,
): Promise<RemovedProviderKeys> {
  const { tenantId, mode } = actor;
  const chain = { tenantId, chain: "provider_keys" } as const;
  const owner = { tenantId, mode, provider };
  const at = app.clock.now();
  return withTransaction(app.db, tenantId, async (tx) => {
    const head = await lockHead(tx, chain);
    const known = await findProviderKeys(tx, owner);
    if (known?.configured !== true) return { deletedAt: null, auditId: null };

    await requireAnchoring(tx, chain, { head, at });
    await deleteSecrets(tx, owner);
    const keys = await upsertProviderKeys(tx, {
      ...known,
      version: known.version + 1,
      configured: false,
      label: null,
      fieldsConfigured: [],
      verificationStatus: "unverified",
      verificationDetail: null,
      verificationCheckedAt: null,
      expiresAt: null,
      updatedBy: actor.actor.id,
      updatedAt: at,
    });
    const auditId = await recordKeyChange(tx, actor, {
      action: "provider_key.deleted",
      keys,
      facts: { field_names: [...known.fieldsConfigured] },
      events: ["provider_key.deleted"],
      data: { provider, kind: keyFieldsOf(provider).kind, mode, version: keys.version },
      occurredAt: at,
    });
    return { deletedAt: at, auditId };
  });
}

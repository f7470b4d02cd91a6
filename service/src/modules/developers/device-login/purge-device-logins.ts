import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { deleteInBatches } from "../../../db/delete-in-batches.ts";
import { itemsOf } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { MODES } from "../../../foundation/vocabulary.ts";
import { revokeApiKey } from "../keys/revoke-api-key.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { deleteDeviceLogin, deleteEndedDeviceLogins, listUncollected, type UncollectedLogin } from "./queries.ts";

const UNCOLLECTED_MAX = 100;
/**
 * How long an expired device login is retained. Until it is deleted, the device's poll fails with `expired_token`
 * instead of `invalid_grant`.
 */
const RETENTION_MS = 3_600_000;

/**
 * Deletes expired device logins. Revokes keys that were never collected, because their secrets can no longer be
 * retrieved.
 */
export async function purgeDeviceLogins(app: Pick<App, "db" | "clock" | "fastState" | "settings">): Promise<void> {
  const before = new Date(app.clock.now().getTime() - RETENTION_MS);
  await deleteInBatches(() => withTransaction(app.db, UNKNOWN_TENANT, (tx) => deleteEndedDeviceLogins(tx, before)));
  const uncollected = itemsOf<UncollectedLogin>((after) =>
    listUncollected(app.db, { at: before, after, limit: UNCOLLECTED_MAX }),
  );
  await tryEach(uncollected, async ({ deviceCodeHash, tenantId, keyId }) => {
    invariant(tenantId !== null && keyId !== null, "an approved login has an owner and a key");
    const actor = systemActor({ tenantId, mode: "live" });
    await revokeApiKey(app, { actor, keyId, modes: MODES });
    await withTransaction(app.db, tenantId, (tx) => deleteDeviceLogin(tx, deviceCodeHash));
  });
}

import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { MODES } from "../../../foundation/vocabulary.ts";
import { revokeApiKey } from "../keys/revoke-api-key.ts";
import { deviceLoginRows, uncollectedLogins } from "./queries.ts";

/** As long as other expired device logins are kept (`service/src/due-work/retention/queries.ts`). */
const RETENTION_MS = 3_600_000;

/** Revokes the keys of device logins that were never collected, because their secrets can no longer be retrieved. */
export async function revokeUncollectedKeys(app: Pick<App, "db" | "clock" | "fastState" | "settings">): Promise<void> {
  const before = new Date(app.clock.now().getTime() - RETENTION_MS);
  await tryEach(uncollectedLogins(app.db, before), async ({ deviceCodeHash, tenantId, keyId }) => {
    const actor = systemActor({ tenantId, mode: "live" });
    await revokeApiKey(app, { actor, keyId, modes: MODES });
    await withTransaction(app.db, tenantId, (tx) => deviceLoginRows.remove(tx, { deviceCodeHash }));
  });
}

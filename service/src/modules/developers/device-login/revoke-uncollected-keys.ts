import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { itemsOf } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { MODES } from "../../../foundation/vocabulary.ts";
import { revokeApiKey } from "../keys/revoke-api-key.ts";
import { deleteDeviceLogin, listUncollected, type UncollectedLogin } from "./queries.ts";

const UNCOLLECTED_MAX = 100;
/** As long as other expired device logins are kept (`service/src/due-work/retention/queries.ts`). */
const RETENTION_MS = 3_600_000;

/** Revokes the keys of device logins that were never collected, because their secrets can no longer be retrieved. */
export async function revokeUncollectedKeys(app: Pick<App, "db" | "clock" | "fastState" | "settings">): Promise<void> {
  const before = new Date(app.clock.now().getTime() - RETENTION_MS);
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

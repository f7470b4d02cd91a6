import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { endLink } from "./end-link.ts";
import { expiredStates, type LinkKey, linkRows, linkStateRows } from "./queries.ts";

/**
 * Sets pending links to `expired` after their `expiresAt`, and deletes their secrets. Also deletes expired OAuth states
 * and token form keys.
 */
export async function expireLinks(app: Pick<App, "db" | "clock">): Promise<void> {
  const at = app.clock.now();
  await tryEach(expiredStates(app.db, at), (state) =>
    withTransaction(app.db, state.tenantId, async (tx) => {
      await expireIfPending(tx, state, at);
      await linkStateRows.remove(tx, state);
    }),
  );
}

async function expireIfPending(tx: Tx, key: LinkKey, at: Date): Promise<void> {
  const link = await linkRows.lock(tx, key);
  if (link?.status !== "pending_auth") return;
  await endLink(tx, systemActor(link), { link, end: { status: "expired" }, at });
}

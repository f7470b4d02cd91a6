import type { App } from "../../app.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { confirmationsOf, finalBlockOf, useNetwork } from "../../modules/networks/networks.ts";
import { listCursors } from "../../modules/networks/queries.ts";
import { listPendingDeposits } from "../../modules/wallets/deposits/queries.ts";

const ALERT_AFTER_MS = 5 * 60_000;
const DEPOSITS_MAX = 100;

/**
 * Logs an error for each network that could not be read for five minutes, and for deposits that are final and could not be
 * confirmed for as long. In production, also brings every network into use that has a node.
 */
export async function superviseNetworks(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - ALERT_AFTER_MS);
  for (const cursor of (await listCursors(app.db)).filter(({ stoppedAt }) => stoppedAt === null)) {
    const { network, readAt } = cursor;
    if (readAt < before) app.log.error({ network, readAt }, "a network cannot be read: operator action required");
    const toBlock = finalBlockOf(cursor, confirmationsOf(app, network));
    const pending = await listPendingDeposits(app.db, network, { toBlock, limit: DEPOSITS_MAX });
    const deposits = pending.filter(({ createdAt }) => createdAt < before).map(({ depositId }) => depositId);
    if (deposits.length > 0) {
      app.log.error({ network, deposits }, "the nodes of a network differ about deposits: operator action required");
    }
  }
  if (app.settings.profile !== "production") return;
  await tryEach(app.evmNetworks.keys(), (network) => useNetwork(app, network));
}

import type { App } from "../../app.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { useNetwork } from "../../modules/networks/networks.ts";
import { listCursors } from "../../modules/networks/queries.ts";
import { checkOperatorFunds } from "./check-operator-funds.ts";

const ALERT_AFTER_MS = 5 * 60_000;

/**
 * Logs an error for each network that could not be read for five minutes, and for each whose nodes have differed about final
 * blocks for as long, and for each key of the operator that can pay for few more transactions. In production, also brings every network
 * into use that has a node.
 */
export async function superviseNetworks(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - ALERT_AFTER_MS);
  for (const { network, readAt, disputedAt, stoppedAt } of await listCursors(app.db)) {
    if (stoppedAt !== null) continue;
    if (readAt < before) app.log.error({ network, readAt }, "a network cannot be read: operator action required");
    if (disputedAt !== null && disputedAt < before) {
      app.log.error({ network, disputedAt }, "the nodes of a network differ: operator action required");
    }
    await checkOperatorFunds(app, network);
  }
  if (app.settings.profile !== "production") return;
  await tryEach(app.evmNetworks.keys(), (network) => useNetwork(app, network));
}

import type { App } from "../../../app.ts";
import { selectWhere } from "../../../db/where.ts";
import type { BlockchainNetwork } from "../../../foundation/blockchain-networks.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { requireSendingNetwork } from "../../networks/networks.ts";
import { requireBundlerKeys } from "../../user-operations/bundler-access.ts";
import type { PaymentOrder } from "./plan-payment.ts";

/**
 * Returns why live payments of the order's wallet cannot be sent now, or undefined. Asks the network, so call it outside of a
 * transaction. An order that determines no wallet is refused later.
 */
export async function findNetworkProblem(app: App, order: PaymentOrder): Promise<AppError | undefined> {
  if (order.mode === "test") return undefined;
  const network = order.network ?? (await networkOf(app, order));
  return network === undefined ? undefined : findProblemOfNetwork(app, order.tenantId, network);
}

/** Returns why the network cannot be used now, or undefined. What is only received there needs no bundler. */
export async function findProblemOfNetwork(
  app: App,
  tenantId: TenantId,
  network: BlockchainNetwork,
  { sends = true } = {},
): Promise<AppError | undefined> {
  try {
    await requireSendingNetwork(app, network);
    if (sends) await requireBundlerKeys(app, tenantId, network);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Returns the network of the agent's wallet that the order names, or of its only one. */
async function networkOf(
  { db }: Pick<App, "db">,
  { tenantId, mode, agentId, walletId }: PaymentOrder,
): Promise<BlockchainNetwork | undefined> {
  const wallets = selectWhere(db, "wallets", { tenantId, mode, agentId }).select(["walletId", "network"]).limit(20);
  const found = (await wallets.execute()).filter((wallet) => walletId === undefined || wallet.walletId === walletId);
  return found.length === 1 ? found[0]?.network : undefined;
}

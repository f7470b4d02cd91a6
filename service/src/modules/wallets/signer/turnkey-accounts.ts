import type { App } from "../../../app.ts";
import { tableOf } from "../../../db/table.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { isFailure } from "../../../ports/vendor-error.ts";
import type { SignerKey } from "../../../ports/wallet-signer.ts";
import type { Wallet } from "../queries.ts";
import type { OpenedTurnkey } from "./open-signer.ts";

const turnkeyWalletRows = tableOf("turnkeyWallets", ["tenantId", "organizationId"]);
const turnkeyAccountRows = tableOf("turnkeyAccounts", ["tenantId", "organizationId", "agentId", "network"]);

type WalletOfAgent = Pick<Wallet, "tenantId" | "agentId" | "network">;

/**
 * Creates the account at Turnkey that owns the agent's wallet on a network, in the developer's wallet at Turnkey. Each request is
 * stored first, so that a repeated one has no second effect. Throws `VendorError`.
 */
export async function createTurnkeyKey(
  app: Pick<App, "db" | "clock">,
  { signer, organizationId }: OpenedTurnkey,
  { tenantId, agentId, network }: WalletOfAgent,
): Promise<SignerKey> {
  const key = { tenantId, organizationId, agentId, network };
  const walletId = await ensureWallet(app, signer, key);
  const { accountIndex: index, requestedAt } = await requestAccount(app, key);
  const address = await afterRefusal(signer.createAccount({ walletId, index, requestedAt }), () =>
    withTransaction(app.db, tenantId, (tx) => turnkeyAccountRows.remove(tx, key)),
  );
  return { address, secret: Buffer.from(organizationId) };
}

async function ensureWallet(
  { db, clock }: Pick<App, "db" | "clock">,
  signer: OpenedTurnkey["signer"],
  key: { readonly tenantId: TenantId; readonly organizationId: string },
): Promise<string> {
  const { tenantId, organizationId } = key;
  const change = (values: Parameters<typeof turnkeyWalletRows.update>[2]) =>
    withTransaction(db, tenantId, (tx) => turnkeyWalletRows.update(tx, key, values));
  const { requestedAt, turnkeyWalletId } = await withTransaction(db, tenantId, async (tx) => {
    await turnkeyWalletRows.insertIfNew(tx, { tenantId, organizationId, requestedAt: clock.now() });
    return turnkeyWalletRows.get(tx, key);
  });
  if (turnkeyWalletId !== null) return turnkeyWalletId;
  const name = `Purser ${tenantId} ${requestedAt.toISOString()}`;
  const created = await afterRefusal(signer.createWallet(name, requestedAt), () =>
    change({ requestedAt: clock.now() }),
  );
  await change({ turnkeyWalletId: created });
  return created;
}

/** Returns the account that was asked for, or gives the next number to a new one. */
async function requestAccount(
  { db, clock }: Pick<App, "db" | "clock">,
  key: WalletOfAgent & { organizationId: string },
) {
  return withTransaction(db, key.tenantId, async (tx) => {
    const { nextIndex } = await turnkeyWalletRows.lockAndGet(tx, key);
    const earlier = await turnkeyAccountRows.find(tx, key);
    if (earlier !== undefined) return earlier;
    await turnkeyWalletRows.update(tx, key, { nextIndex: nextIndex + 1 });
    return turnkeyAccountRows.insertAndGet(tx, { ...key, accountIndex: nextIndex, requestedAt: clock.now() });
  });
}

/**
 * What was refused would be refused again with the same time. The next request has another name or number, because an earlier one
 * may have created this one, and its answer was lost.
 */
async function afterRefusal<Result>(created: Promise<Result>, change: () => Promise<void>): Promise<Result> {
  return created.catch(async (error: unknown) => {
    if (isFailure(error, "refused") || isFailure(error, "unauthorized")) await change();
    throw error;
  });
}

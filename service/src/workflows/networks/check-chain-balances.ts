import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import { pagesOf } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { usdcOf } from "../../foundation/blockchain-networks.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import { formatTokenAmount } from "../../foundation/money.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { requireEvmNetwork } from "../../modules/networks/networks.ts";
import { claimBalanceCheck, listCursors, type NetworkCursor } from "../../modules/networks/queries.ts";
import { type ExpectedBalance, listExpectedBalances } from "../../modules/wallets/deposits/queries.ts";

const INTERVAL_MS = 3_600_000;
const WALLETS_MAX = 500;

/**
 * Compares the ledger with the chain of each network in use, once an hour. Each wallet must have on the chain, at
 * a final block, what it has in the ledger. A difference is logged and audited. Nothing is frozen.
 */
export async function checkChainBalances(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - INTERVAL_MS);
  const due = (await listCursors(app.db)).filter(
    ({ balancesCheckedAt, stoppedAt }) => stoppedAt === null && balancesCheckedAt <= before,
  );
  await tryEach(due, (cursor) => checkNetwork(app, cursor));
}

async function checkNetwork(app: App, cursor: NetworkCursor): Promise<void> {
  const { network } = cursor;
  const chain = requireEvmNetwork(app, network);
  const { finalNumber: finalBlock } = cursor;
  const isClaimed = await withTransaction(app.db, OPERATOR_TENANT, (tx) =>
    claimBalanceCheck(tx, cursor, app.clock.now()),
  );
  if (!isClaimed) return;
  const pages = pagesOf<ExpectedBalance>(
    (last) => listExpectedBalances(app.db, network, { finalBlock, after: last?.walletId, limit: WALLETS_MAX }),
    WALLETS_MAX,
  );
  for await (const wallets of pages) {
    const addresses = wallets.map(({ address }) => address);
    const found = await chain.readTokenBalances(usdcOf(network), addresses, finalBlock);
    const pairs = wallets.map((wallet, index) => [wallet, found[index] ?? wallet.expected] as const);
    const different = pairs.filter(([wallet, balance]) => balance !== wallet.expected);
    for (const [wallet, balance] of different) await recordDifference(app, wallet, balance);
  }
}

async function recordDifference(
  { db, clock, log }: App,
  { tenantId, walletId, expected }: ExpectedBalance,
  found: bigint,
): Promise<void> {
  const format = (baseUnits: bigint) => formatTokenAmount({ asset: "usdc", baseUnits });
  const facts = { token: "USDC", expected: format(expected), found: format(found) };
  await withTransaction(db, tenantId, (tx) =>
    appendAuditEntry(tx, systemActor({ tenantId, mode: "live" }), {
      action: "wallet.chain_difference_found",
      subject: { type: "wallet", id: walletId },
      facts,
      occurredAt: clock.now(),
    }),
  );
  log.error(
    { tenant: tenantId, wallet: walletId, ...facts },
    "the balance of a wallet on its chain differs from the ledger: operator action required",
  );
}

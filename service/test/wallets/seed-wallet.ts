import { randomBytes } from "node:crypto";
import * as Address from "ox/Address";
import type { App } from "../../src/app.ts";
import { withTransaction } from "../../src/db/transaction.ts";
import type { BlockchainNetwork } from "../../src/foundation/blockchain-networks.ts";
import { newId, type TenantId, type WalletId } from "../../src/foundation/ids.ts";
import { invariant } from "../../src/foundation/invariant.ts";
import type { Asset } from "../../src/foundation/money.ts";
import type { Mode } from "../../src/foundation/vocabulary.ts";
import { openAccounts } from "../../src/ledger/accounts.ts";
import { moveMoney } from "../../src/ledger/move-money.ts";

export interface SeededWallet {
  readonly walletId: WalletId;
  readonly address: string;
}

/** Inserts a wallet of an existing agent, and funds it with USDC base units. */
export async function seedWallet(
  { db, clock }: Pick<App, "db" | "clock">,
  {
    tenantId,
    agentId,
    mode = "test",
    network = "base",
    baseUnits = 0n,
  }: {
    readonly tenantId: TenantId;
    readonly agentId: string;
    readonly mode?: Mode;
    readonly network?: BlockchainNetwork;
    readonly baseUnits?: bigint;
  },
): Promise<SeededWallet> {
  const walletId = newId("wal");
  const address = randomAddress();
  const at = clock.now();
  await withTransaction(db, tenantId, async (tx) => {
    await tx
      .insertInto("wallets")
      .values({
        ...{ tenantId, walletId, mode, agentId, network, address, name: null, salt: "0" },
        accountType: "erc4337_v0.8",
        entryPoint: "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108",
        factory: randomAddress(),
        initCodeHash: `0x${randomBytes(32).toString("hex")}`,
        owner: randomAddress(),
        recoveryAddress: null,
        deploymentStatus: "counterfactual",
        status: "active",
        createdAt: at,
        updatedAt: at,
      })
      .execute();
    const open = async (kind: "wallet" | "external", subjectId: string) =>
      openAccounts(tx, { tenantId, mode, kind, subjectType: kind, subjectId }, at);
    await open("wallet", walletId);
    await open("external", tenantId);
  });
  if (baseUnits > 0n) await fundWallet({ db, clock }, { tenantId, mode, walletId, baseUnits });
  return { walletId, address };
}

/** Moves USDC base units from the faucet to a wallet. */
export async function fundWallet(
  { db, clock }: Pick<App, "db" | "clock">,
  {
    tenantId,
    mode = "test",
    walletId,
    baseUnits,
  }: {
    readonly tenantId: TenantId;
    readonly mode?: Mode;
    readonly walletId: WalletId;
    readonly baseUnits: bigint;
  },
): Promise<void> {
  const at = clock.now();
  await withTransaction(db, tenantId, async (tx) => {
    const open = async (kind: "wallet" | "faucet", subjectId: string) =>
      openAccounts(tx, { tenantId, mode, kind, subjectType: kind, subjectId }, at);
    const { outcome } = await moveMoney(tx, {
      kind: "direct",
      mode,
      cause: { type: "funding", id: "fund_seed" },
      at,
      amount: { asset: "usdc", baseUnits },
      debitAccountId: accountOf(await open("faucet", tenantId)),
      creditAccountId: accountOf(await open("wallet", walletId)),
      ignoresFreeze: false,
    });
    invariant(outcome === "done", "a wallet that is not frozen accepts tokens of the faucet");
  });
}

export function randomAddress(): string {
  return Address.checksum(`0x${randomBytes(20).toString("hex")}`);
}

function accountOf(accounts: Awaited<ReturnType<typeof openAccounts>>, asset: Asset = "usdc") {
  const accountId = accounts.get(asset);
  invariant(accountId !== undefined, "an account is opened for each token");
  return accountId;
}

import type { Actor } from "../../audit/append.ts";
import { type AgentAccount, ENTRY_POINT } from "../../crypto/agent-account.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { WalletId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { openAccounts } from "../../ledger/open-accounts.ts";
import { type Wallet, type WalletOverview, walletRows, walletRowsByNetwork, walletSignerKeyRows } from "./queries.ts";
import { recordWalletChange } from "./record-wallet-change.ts";
import { getChangedWallet } from "./require-wallet.ts";
import type { NewWalletKey } from "./signer/wallet-keys.ts";

/** The caller must have checked that the policy exists. */
export type NewWallet = Pick<Wallet, "agentId" | "network" | "name" | "policyId" | "recoveryAddress" | "metadata">;

interface AddWallet {
  readonly walletId: WalletId;
  readonly wallet: NewWallet;
  readonly account: AgentAccount;
  readonly key: NewWalletKey;
  readonly at: Date;
}

/**
 * Stores a wallet, its key and its ledger accounts. Throws `wallet_already_exists` if the agent has a wallet on this
 * network. The caller must have checked that the agent is active, and must keep it active until the transaction ends.
 */
export async function addWallet(
  tx: Tx,
  actor: Actor,
  { walletId, wallet, account, key, at }: AddWallet,
): Promise<WalletOverview> {
  const { tenantId, mode } = actor;
  const isInserted = await walletRows.insertIfNew(tx, {
    ...{ ...wallet, ...account, tenantId, walletId, mode },
    ...{ accountType: "erc4337_v0.8", entryPoint: ENTRY_POINT, salt: "0", owner: key.owner },
    ...{ deploymentStatus: "counterfactual", status: "active", createdAt: at, updatedAt: at },
  });
  if (!isInserted) {
    const existing = await walletRowsByNetwork.find(tx, { ...wallet, tenantId, mode });
    invariant(existing !== undefined, "a new wallet has a new id and a new address");
    throw new AppError("wallet_already_exists", { walletId: existing.walletId });
  }
  await walletSignerKeyRows.insert(tx, { tenantId, walletId, keySealed: key.keySealed });
  const accounts = [
    ["wallet", walletId],
    ["external", tenantId],
    ["faucet", tenantId],
  ] as const;
  for (const [kind, subjectId] of accounts) {
    await openAccounts(tx, { tenantId, mode, kind, subjectType: kind, subjectId }, at);
  }

  const created = await getChangedWallet(tx, { tenantId, mode, walletId });
  const { agentId, network, address } = created;
  const facts = { agent_id: agentId, network, address };
  await recordWalletChange(tx, actor, {
    ...{ action: "wallet.created", wallet: created, facts, occurredAt: at },
  });
  return created;
}

import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { type AgentAccount, ENTRY_POINT } from "../../crypto/agent-account.ts";
import type { Db, Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { type EventEntry, recordEntryAndEvent } from "../../events/events.ts";
import { AppError } from "../../foundation/errors.ts";
import type { WalletId } from "../../foundation/ids.ts";
import { mergedMetadata } from "../../foundation/wire/apply-change.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { openAccounts } from "../../ledger/accounts.ts";
import { lockAccountsWithNext } from "../../ledger/queries.ts";
import {
  findWalletOverview,
  lockWallet,
  type Wallet,
  type WalletKey,
  type WalletOverview,
  walletRows,
  walletRowsByNetwork,
  walletRowsOfAnyTenant,
  walletSignerKeyRows,
} from "./queries.ts";
import type { NewWalletKey } from "./signer/wallet-keys.ts";
import { presentWallet } from "./wallet-resource.ts";

export async function recordWalletChange(
  tx: Tx,
  actor: Actor,
  { wallet, ...entry }: Omit<EventEntry, "subject"> & { readonly wallet: WalletOverview },
): Promise<void> {
  const subject = { type: "wallet", id: wallet.walletId };
  await recordEntryAndEvent(tx, actor, { ...entry, subject }, () => presentWallet(wallet, entry.occurredAt));
}

/** Returns the wallet with its balances. Throws `wallet_not_found` if it is not in the caller's scope. */
export async function getWallet(db: Db, key: WalletKey): Promise<WalletOverview> {
  return (await findWalletOverview(db, key)) ?? walletNotFound(key);
}

/** Locks and returns the wallet. Throws `wallet_not_found` if it is not in the caller's scope. */
async function requireWalletLocked(tx: Tx, key: WalletKey): Promise<WalletOverview> {
  return (await lockWallet(tx, key)) ?? walletNotFound(key);
}

/**
 * Locks the wallet's ledger accounts, then the wallet, and returns it. Throws `wallet_not_found` if it is not in the
 * caller's scope.
 */
export async function requireWalletAndAccountsLocked(tx: Tx, key: WalletKey): Promise<WalletOverview> {
  const { tenantId, mode, walletId } = key;
  const accounts = { tenantId, mode, subjectType: "wallet", subjectIds: [walletId] } as const;
  await lockAccountsWithNext(tx, accounts);
  return requireWalletLocked(tx, key);
}

/** Returns the wallet with its balances after a change in this transaction, whatever the caller's scope. */
export function getChangedWallet(
  tx: Tx,
  { tenantId, mode, walletId }: Pick<Wallet, "tenantId" | "mode" | "walletId">,
): Promise<WalletOverview> {
  return getWallet(tx, { tenantId, mode, agentIds: null, walletId });
}

export function walletNotFound({ walletId }: Pick<WalletKey, "walletId">): never {
  throw new AppError("wallet_not_found", {
    internal: `the caller cannot reach wallet ${walletId} in this mode`,
  });
}

/** Returns the wallet, whichever tenant and mode it belongs to. Only for admins. Throws `wallet_not_found`. */
export async function findWalletForAdmin(db: Db, walletId: WalletId): Promise<Wallet> {
  const wallet = await walletRowsOfAnyTenant.find(db, { walletId });
  if (wallet === undefined) throw new AppError("wallet_not_found");
  return wallet;
}

/** The caller must have checked that the policy exists. */
export type NewWallet = Pick<Wallet, "agentId" | "network" | "name" | "policyId" | "recoveryAddress" | "metadata">;

/** Throws `wallet_already_exists` if the agent has a wallet on this network. */
export async function requireNewWallet(tx: Tx, { tenantId, mode }: Actor, wallet: NewWallet): Promise<void> {
  const existing = await walletRowsByNetwork.find(tx, { ...wallet, tenantId, mode });
  if (existing !== undefined) throw new AppError("wallet_already_exists", { walletId: existing.walletId });
}

interface AddWallet {
  readonly walletId: WalletId;
  readonly wallet: NewWallet;
  readonly account: AgentAccount;
  readonly key: NewWalletKey;
  /** Whether the account is to be deployed at once. */
  readonly isDeployed: boolean;
  readonly at: Date;
}

/**
 * Stores a wallet, its key and its ledger accounts. Throws `wallet_already_exists` if the agent has a wallet on this
 * network. The caller must have checked that the agent is active, and must keep it active until the transaction ends.
 */
export async function addWallet(
  tx: Tx,
  actor: Actor,
  { walletId, wallet, account, key, isDeployed, at }: AddWallet,
): Promise<WalletOverview> {
  const { tenantId, mode } = actor;
  const isInserted = await walletRows.insertIfNew(tx, {
    ...{ ...wallet, ...account, tenantId, walletId, mode },
    ...{ accountType: "erc4337_v0.8", entryPoint: ENTRY_POINT, salt: "0", owner: key.owner },
    ...{ signer: key.signer, usesOwnSigner: key.usesOwnSigner },
    deploymentStatus: isDeployed ? "deploying" : "counterfactual",
    ...{ status: "active", createdAt: at, updatedAt: at },
  });
  if (!isInserted) {
    await requireNewWallet(tx, actor, wallet);
    throw new AppError("provider_unavailable", { internal: `${key.signer} has made a key that owns another wallet` });
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

/** An undefined field is left unchanged; null clears a field. `metadata` is merged: a null value removes its key. */
interface WalletChange {
  readonly name: string | null | undefined;
  readonly metadata: Readonly<Record<string, string | null>> | null | undefined;
}

interface UpdateWallet {
  readonly key: WalletKey;
  /** Returns the actor for a change of a wallet of this agent. */
  readonly actorOf: (agentId: string) => Actor;
  readonly change: WalletChange;
}

/**
 * Changes a wallet. If no value changes, the wallet keeps its `updatedAt`, and no audit entry or event is written. Throws
 * `wallet_not_found`.
 */
export async function updateWallet(
  { db, clock }: Pick<App, "db" | "clock">,
  { key, actorOf, change }: UpdateWallet,
  saveResponse: SaveResponse<WalletOverview>,
): Promise<WalletOverview> {
  return withTransaction(db, key.tenantId, async (tx) => {
    const before = await requireWalletLocked(tx, key);
    const columns = changedColumns(before, change);
    const fields = Object.keys(columns);
    const at = clock.now();
    if (fields.length > 0) await walletRows.update(tx, key, { ...columns, updatedAt: at });
    const wallet = await getChangedWallet(tx, key);
    if (fields.length > 0) {
      const record = {
        action: "wallet.updated",
        wallet,
        facts: { fields },
        occurredAt: at,
      } as const;
      await recordWalletChange(tx, actorOf(wallet.agentId), record);
    }
    await saveResponse(tx, wallet);
    return wallet;
  });
}

function changedColumns(before: Wallet, { name, metadata }: WalletChange): Partial<Pick<Wallet, "name" | "metadata">> {
  const merged = mergedMetadata(before.metadata, metadata);
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(!isDeepStrictEqual(merged, before.metadata) && { metadata: merged }),
  };
}

import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { WalletId } from "../../../foundation/ids.ts";
import { FREEZE_MODES } from "../../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { lockAccountsWithNext } from "../../../ledger/lock-accounts.ts";
import { updateAccounts } from "../../../ledger/queries.ts";
import type { Wallet, WalletKey, WalletOverview } from "../queries.ts";
import { getWallet, requireWalletAndAccountsLocked } from "../require-wallet.ts";
import { combineFreezes, type Freeze } from "./combine-freezes.ts";
import { type FreezeColumns, listAgentWalletIds, lockWallets } from "./queries.ts";
import { saveFreeze, typeAndIdOf } from "./save-freeze.ts";

interface NewFreeze {
  readonly freeze: Freeze;
  /** Also marks the accounts as frozen on the chain. Only for test mode, which has no chain. */
  readonly simulatesChain?: boolean;
  readonly at: Date;
}

export interface FreezeWallets extends NewFreeze {
  /** Wallets of the actor's tenant and mode. Others are ignored. */
  readonly walletIds: readonly WalletId[];
}

export interface FreezeWallet {
  readonly key: WalletKey;
  /** Returns the actor for a freeze of a wallet of this agent. */
  readonly actorOf: (agentId: string) => Actor;
  readonly freeze: Freeze;
  /** Whether to freeze this wallet, or all wallets of its agent in this mode. */
  readonly scope: "wallet" | "agent";
}

interface PlannedFreeze {
  readonly before: WalletOverview;
  readonly change: FreezeColumns;
}

/** Freezes a wallet, or all wallets of its agent. Freezing a frozen wallet changes nothing, unless the freeze is stricter. */
export async function freezeWallet(
  app: Pick<App, "db" | "clock">,
  command: FreezeWallet,
  saveResponse: SaveResponse<void>,
): Promise<void> {
  await withTransaction(app.db, command.key.tenantId, async (tx) => {
    await freezeInTransaction(tx, command, { at: app.clock.now() });
    await saveResponse(tx, undefined);
  });
}

/**
 * Freezes the wallets that the command names, and returns them in the order of their ids. Throws `wallet_not_found` if the
 * wallet is not in the caller's scope.
 */
export async function freezeInTransaction(
  tx: Tx,
  { key, actorOf, freeze, scope }: FreezeWallet,
  change: Omit<NewFreeze, "freeze">,
): Promise<readonly Wallet[]> {
  if (scope === "wallet") {
    const wallet = await requireWalletAndAccountsLocked(tx, key);
    return freezeLocked(tx, actorOf(wallet.agentId), [wallet], { freeze, ...change });
  }
  const { agentId } = await getWallet(tx, key);
  const walletIds = await listAgentWalletIds(tx, { ...key, agentId });
  return freezeWallets(tx, actorOf(agentId), { walletIds, freeze, ...change });
}

/**
 * Freezes wallets in the caller's transaction, and returns all of them in the order of their ids. A wallet whose freeze is
 * at least as strict remains as it is, without an entry. After the commit, no money leaves the wallets, and none arrives if
 * the freeze is `full`.
 *
 * Locks the wallets' ledger accounts, then the wallets. A payment locks the same accounts in its last statement, so a
 * freeze waits for at most one statement of a payment. It does not read payments: a job cancels those that wait.
 */
export async function freezeWallets(
  tx: Tx,
  actor: Actor,
  { walletIds, ...newFreeze }: FreezeWallets,
): Promise<readonly Wallet[]> {
  const { tenantId, mode } = actor;
  const accounts = { tenantId, mode, subjectType: "wallet", subjectIds: walletIds } as const;
  await lockAccountsWithNext(tx, accounts);
  const wallets = await lockWallets(tx, { tenantId, mode, walletIds });
  return freezeLocked(tx, actor, wallets, newFreeze);
}

async function freezeLocked(
  tx: Tx,
  actor: Actor,
  wallets: readonly WalletOverview[],
  { freeze, simulatesChain = false, at }: NewFreeze,
): Promise<readonly Wallet[]> {
  const { tenantId, mode } = actor;
  const accounts = { tenantId, mode, subjectType: "wallet" } as const;
  const plans = wallets.map((before): PlannedFreeze => {
    const isNewOnChain = simulatesChain && before.onchainFreeze === "not_frozen";
    const change = {
      ...changeOf(before, actor, freeze, at),
      ...(isNewOnChain && { onchainFreeze: "simulated" as const }),
    };
    return { before, change };
  });
  for (const freezeMode of FREEZE_MODES) {
    const own = plans.filter(({ change }) => change.freezeMode === freezeMode);
    const subjectIds = own.map(({ before }) => before.walletId);
    if (subjectIds.length > 0) await updateAccounts(tx, { ...accounts, subjectIds }, { frozen: freezeMode });
  }
  const frozen: Wallet[] = [];
  for (const plan of plans) frozen.push(await save(tx, actor, plan, at));
  return frozen;
}

/** Returns the columns of the wallet's new freeze, or none if its own freeze is at least as strict. */
function changeOf(wallet: Wallet, actor: Actor, freeze: Freeze, at: Date): FreezeColumns {
  const combined = combineFreezes(wallet, freeze);
  if (combined === undefined) return {};
  return {
    status: "frozen",
    epoch: wallet.epoch + 1,
    freezeMode: combined.mode,
    freezeSource: combined.source,
    freezeReason: freeze.reason,
    freezeNote: freeze.note,
    freezeReference: freeze.reference,
    freezeExpiresAt: freeze.expiresAt,
    frozenBy: typeAndIdOf(actor),
    frozenAt: at,
  };
}

async function save(tx: Tx, actor: Actor, { before, change }: PlannedFreeze, at: Date): Promise<Wallet> {
  if (Object.keys(change).length === 0) return before;
  const { freezeMode, freezeSource, freezeReason, freezeNote, freezeReference, onchainFreeze } = {
    ...before,
    ...change,
  };
  return saveFreeze(tx, actor, {
    before,
    change,
    note: freezeNote,
    reference: freezeReference,
    facts: {
      reason: freezeReason,
      mode: freezeMode,
      source: freezeSource,
      reference: freezeReference,
      onchain: onchainFreeze,
      previous_mode: before.freezeMode,
      previous_source: before.freezeSource,
    },
    at,
  });
}

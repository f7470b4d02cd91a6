import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { FREEZE_MODES, type FreezeMode, type FreezeReason, type FreezeSource } from "../../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { lockAccountsWithNext, updateAccounts } from "../../../ledger/queries.ts";
import { queueFreeze } from "../../operator-transactions/queue-transaction.ts";
import type { Wallet, WalletKey, WalletOverview } from "../queries.ts";
import { getWallet, recordWalletChange, requireWalletAndAccountsLocked } from "../wallets.ts";
import {
  type FreezeColumns,
  insertFreeze,
  listWalletIds,
  lockWallets,
  updateFreeze,
  type WalletsKey,
} from "./queries.ts";

interface NewFreeze {
  readonly freeze: Freeze;
  /** Also freezes the accounts on their chains: with a transaction each. Test mode, which has no chain, simulates it. */
  readonly onchain?: boolean;
  readonly at: Date;
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
  const walletIds = await listWalletIds(tx, { ...key, agentIds: [agentId] });
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
  /** Wallets of the actor's tenant and mode. Others are ignored. */
  { walletIds, ...newFreeze }: NewFreeze & Pick<WalletsKey, "walletIds">,
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
  { freeze, onchain = false, at }: NewFreeze,
): Promise<readonly Wallet[]> {
  const { tenantId, mode } = actor;
  const accounts = { tenantId, mode, subjectType: "wallet" } as const;
  const plans = wallets.map((before): PlannedFreeze => {
    const change = { ...changeOf(before, actor, freeze, at), ...(onchain && chainChangeOf(before)) };
    return { before, change };
  });
  for (const freezeMode of FREEZE_MODES) {
    const own = plans.filter(({ change }) => change.freezeMode === freezeMode);
    const subjectIds = own.map(({ before }) => before.walletId);
    if (subjectIds.length > 0) await updateAccounts(tx, { ...accounts, subjectIds }, { frozen: freezeMode });
  }
  const frozen: Wallet[] = [];
  for (const plan of plans) {
    frozen.push(await save(tx, actor, plan, at));
    if (plan.change.onchainFreeze === "pending") await queueFreeze(tx, plan.before, at);
  }
  return frozen;
}

/** Returns the columns of a new freeze on the chain, or none if the account is frozen there, or about to be. */
function chainChangeOf({ mode, onchainFreeze }: Wallet): FreezeColumns {
  if (mode === "test") return onchainFreeze === "not_frozen" ? { onchainFreeze: "simulated" } : {};
  if (onchainFreeze === "pending" || onchainFreeze === "confirmed") return {};
  return { onchainFreeze: "pending", onchainFreezeTx: null, onchainFreezeBlock: null };
}

/**
 * Returns the columns of the wallet's new freeze, or none if its own freeze is at least as strict. A freeze during an unfreezing
 * ends the unfreezing.
 */
function changeOf(wallet: Wallet, actor: Actor, freeze: Freeze, at: Date): FreezeColumns {
  const { freezeMode: mode, freezeSource: source } = wallet;
  const kept = wallet.status === "unfreezing" && mode !== null && source !== null ? { mode, source } : undefined;
  const combined = combineFreezes(wallet, freeze) ?? kept;
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

/** What a caller asks for when freezing a wallet. */
export interface Freeze {
  readonly mode: FreezeMode;
  /** Who freezes the wallet, and can lift the freeze. A freeze by an admin always has the mode `full`. */
  readonly source: FreezeSource;
  readonly reason: FreezeReason;
  readonly note: string | null;
  readonly reference: string | null;
  /** When the freeze should be reviewed. It does not end then. */
  readonly expiresAt: Date | null;
}

type Strictness = Pick<Freeze, "mode" | "source">;

/** Sorted from the least strict to the strictest. */
const SOURCES = ["developer", "admin"] as const satisfies readonly FreezeSource[];

/**
 * Returns the source and the mode of the wallet after the freeze: of two freezes, the stricter source and the stricter
 * mode. Returns undefined if the wallet's own freeze is at least as strict, so that it remains as it is.
 */
export function combineFreezes(
  wallet: Pick<Wallet, "freezeMode" | "freezeSource">,
  { mode: requestedMode, source }: Strictness,
): Strictness | undefined {
  const mode = source === "admin" ? "full" : requestedMode;
  const { freezeMode, freezeSource } = wallet;
  if (freezeMode === null || freezeSource === null) return { mode, source };
  const combined = {
    mode: stricterOf(FREEZE_MODES, freezeMode, mode),
    source: stricterOf(SOURCES, freezeSource, source),
  };
  const isUnchanged = combined.mode === freezeMode && combined.source === freezeSource;
  return isUnchanged ? undefined : combined;
}

function stricterOf<Value>(order: readonly Value[], one: Value, other: Value): Value {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}

interface FreezeChange {
  /** As it is before the change. The caller must have locked it and its accounts. */
  readonly before: WalletOverview;
  readonly change: FreezeColumns;
  /** Why the wallet is unfrozen. Default: why it is frozen. */
  readonly reason?: Wallet["freezeReason"];
  readonly note: string | null;
  readonly reference: string | null;
  readonly facts: Readonly<Record<string, Json>>;
  readonly at: Date;
}

/**
 * Freezes or unfreezes a wallet, with the row of its history, the audit entry and the event. The caller has frozen or
 * unfrozen the ledger accounts.
 */
export async function saveFreeze(
  tx: Tx,
  actor: Actor,
  { before, change, reason, note, reference, facts, at }: FreezeChange,
): Promise<Wallet> {
  const changed = { ...change, updatedAt: at };
  const wallet = { ...before, ...changed };
  await updateFreeze(tx, before, changed);
  const isFrozen = wallet.freezeMode !== null;
  // Of an unfreeze, the history keeps the freeze that was lifted.
  const { freezeMode, freezeSource } = isFrozen ? wallet : before;
  invariant(freezeMode !== null && freezeSource !== null, "a freeze has a mode and a source");
  await insertFreeze(tx, {
    tenantId: wallet.tenantId,
    freezeId: newId("frz"),
    walletId: wallet.walletId,
    mode: wallet.mode,
    action: isFrozen ? "freeze" : "unfreeze",
    freezeMode,
    source: freezeSource,
    reason: reason ?? wallet.freezeReason,
    note,
    reference,
    actor: JSON.stringify(typeAndIdOf(actor)),
    createdAt: at,
  });
  await recordWalletChange(tx, actor, {
    action: isFrozen ? "wallet.frozen" : "wallet.unfrozen",
    wallet,
    facts: { agent_id: wallet.agentId, ...facts },
    occurredAt: at,
  });
  return wallet;
}

function typeAndIdOf({ actor: { type, id } }: Actor): NonNullable<Wallet["frozenBy"]> {
  return { type, id };
}

import { setTimeout as wait } from "node:timers/promises";
import { type Db, openDatabase } from "@purser/service/db/database.ts";
import { withSnapshot, withTransaction } from "@purser/service/db/transaction.ts";
import { type LedgerAccountId, type LedgerTransferId, newId, type TenantId } from "@purser/service/foundation/ids.ts";
import type { LedgerAccountKind } from "@purser/service/foundation/vocabulary.ts";
import { openAccounts } from "@purser/service/ledger/accounts.ts";
import { checkBalances } from "@purser/service/ledger/check/check-balances.ts";
import { type Move, moveMoney } from "@purser/service/ledger/move-money.ts";
import { type SubjectsKey, updateAccounts } from "@purser/service/ledger/queries.ts";
import { Client } from "pg";
import { pick, random } from "./random.ts";

const TENANTS = 2;
const WALLETS = 20;
const OPENING_BASE_UNITS = 400n;
const AMOUNT_MAX = 200;
/** The number of open holds that writers choose from. A small number makes them resolve the same hold. */
const OPEN_HOLDS_MAX = 40;
const PAUSE_MS = 5;
const PROGRESS_PAUSE_MS = 2_000;

export interface LedgerCampaign {
  /** URL that connects with the server's database role. */
  readonly databaseUrl: string;
  readonly writers: number;
  readonly movesEach: number;
  readonly onProgress: (message: string) => void;
}

export interface LedgerFigures {
  readonly moves: number;
  readonly movesPerSecond: number;
  /** The number of moves with each outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly freezes: number;
  /** The number of checks while the writers were running. */
  readonly checks: number;
  /** Duration of the slowest check of all transfers of a tenant. */
  readonly wholeCheckMs: number;
}

interface Wallet {
  readonly key: SubjectsKey;
  readonly accountId: LedgerAccountId;
}

interface Ledger {
  readonly tenantId: TenantId;
  readonly wallets: readonly Wallet[];
  readonly faucet: Wallet;
  readonly external: Wallet;
  readonly openHolds: LedgerTransferId[];
}

/**
 * Makes random moves concurrently, while wallets are frozen and unfrozen and the balances are checked. Throws if a check
 * finds a difference, or if the number of transfers is not the number of accepted moves.
 */
export async function runLedgerCampaign(campaign: LedgerCampaign): Promise<LedgerFigures> {
  const db = openDatabase({
    url: campaign.databaseUrl,
    connectionsMax: { requests: campaign.writers + 2 * TENANTS, authentication: 1, jobs: 1 },
    statementTimeoutMs: 60_000,
    readTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
    onError: () => {},
  });
  try {
    return await runWriters(db, campaign);
  } finally {
    await db.destroy();
  }
}

async function runWriters(
  db: Db,
  { databaseUrl, writers, movesEach, onProgress }: LedgerCampaign,
): Promise<LedgerFigures> {
  const ledgers = await Promise.all(Array.from({ length: TENANTS }, () => seedLedger(db)));
  const outcomes: Record<string, number> = {};
  const writing = new AbortController();
  let freezes = 0;
  let checks = 0;

  const startedMs = performance.now();
  const background = ledgers.flatMap((ledger) => [
    repeat(writing.signal, PAUSE_MS, async () => {
      await toggleFreeze(db, ledger);
      freezes += 1;
    }),
    repeat(writing.signal, PAUSE_MS, async () => {
      await requireBalanced(db, ledger, { isWhole: false });
      checks += 1;
    }),
  ]);
  const progress = repeat(writing.signal, PROGRESS_PAUSE_MS, async () => onProgress(JSON.stringify(outcomes)));
  const writes = Array.from({ length: writers }, async (_, writer) => {
    const ledger = pick(ledgers, writer % TENANTS);
    for (let number = 0; number < movesEach && !writing.signal.aborted; number += 1) {
      const outcome = await moveOnce(db, ledger);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  });
  // The first failure stops all the other tasks. `allSettled` waits until every task has ended.
  const ended = await Promise.allSettled([
    ...[...background, progress].map((work) => work.finally(() => writing.abort())),
    Promise.all(writes).finally(() => writing.abort()),
  ]);
  const failure = ended.find((outcome) => outcome.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  const elapsedSeconds = (performance.now() - startedMs) / 1_000;

  let wholeCheckMs = 0;
  for (const ledger of ledgers) {
    const checkStartedMs = performance.now();
    await requireBalanced(db, ledger, { isWhole: true });
    wholeCheckMs = Math.max(wholeCheckMs, Math.round(performance.now() - checkStartedMs));
  }
  const accepted = (outcomes["done"] ?? 0) + TENANTS * WALLETS;
  await checkRows(databaseUrl, ledgers, accepted);
  const moves = writers * movesEach;
  const movesPerSecond = Math.round(moves / elapsedSeconds);
  return { moves, movesPerSecond, outcomes, freezes, checks, wholeCheckMs };
}

async function seedLedger(db: Db): Promise<Ledger> {
  const tenantId = newId("dev");
  const open = async (kind: LedgerAccountKind): Promise<Wallet> => {
    const subject = { tenantId, mode: "test", subjectType: kind } as const;
    const subjectId = newId("wal");
    const ids = await withTransaction(db, tenantId, (tx) =>
      openAccounts(tx, { ...subject, kind, subjectId }, new Date()),
    );
    return {
      key: { ...subject, subjectIds: [subjectId] },
      accountId: ids.get("usdc") ?? "lac_none",
    };
  };
  const [faucet, external] = [await open("faucet"), await open("external")];
  const wallets: Wallet[] = [];
  for (let count = 0; count < WALLETS; count += 1) {
    const wallet = await open("wallet");
    await requireDone(db, tenantId, directMove(faucet, wallet, OPENING_BASE_UNITS));
    wallets.push(wallet);
  }
  return { tenantId, wallets, faucet, external, openHolds: [] };
}

async function requireDone(db: Db, tenantId: TenantId, move: Move): Promise<void> {
  const { outcome } = await withTransaction(db, tenantId, (tx) => moveMoney(tx, move));
  if (outcome !== "done") throw new Error(`The move was refused: ${outcome}`);
}

/** Makes a random move and returns its outcome. */
async function moveOnce(db: Db, ledger: Ledger): Promise<string> {
  const move = randomMove(ledger);
  const made = await withTransaction(db, ledger.tenantId, (tx) => moveMoney(tx, move));
  if (move.kind === "hold" && "transferId" in made) {
    if (ledger.openHolds.length < OPEN_HOLDS_MAX) ledger.openHolds.push(made.transferId);
    else ledger.openHolds[random(OPEN_HOLDS_MAX)] = made.transferId;
  }
  return made.outcome;
}

function randomMove({ wallets, faucet, external, openHolds }: Ledger): Move {
  const from = pick(wallets, random(WALLETS));
  const to = random(2) === 0 ? external : pick(wallets, random(WALLETS));
  const amount = BigInt(1 + random(AMOUNT_MAX));
  const holdId = openHolds[random(OPEN_HOLDS_MAX)];
  const choice = random(10);
  if (choice < 3 || holdId === undefined) return { ...directMove(from, to, amount), kind: "hold" };
  if (choice < 6) {
    const tokens = { asset: "usdc", baseUnits: amount } as const;
    return { ...common(), kind: "post", holdId, amount: tokens, ignoresFreeze: random(2) === 0 };
  }
  if (choice < 7) return { ...common(), kind: "void", holdId };
  return choice < 9 ? directMove(from, to, amount) : directMove(faucet, from, amount);
}

function common() {
  return { mode: "test", cause: { type: "campaign", id: "ledger-check" }, at: new Date() } as const;
}

function directMove(from: Wallet, to: Wallet, baseUnits: bigint) {
  return {
    ...common(),
    kind: "direct",
    debitAccountId: from.accountId,
    creditAccountId: to.accountId,
    amount: { asset: "usdc", baseUnits },
    ignoresFreeze: false,
  } as const;
}

async function toggleFreeze(db: Db, { tenantId, wallets }: Ledger): Promise<void> {
  const { key } = pick(wallets, random(WALLETS));
  const frozen = pick([null, null, "outgoing_only", "full"] as const, random(4));
  await withTransaction(db, tenantId, (tx) => updateAccounts(tx, key, { frozen }));
}

async function requireBalanced(
  db: Db,
  { tenantId }: Ledger,
  { isWhole }: { readonly isWhole: boolean },
): Promise<void> {
  const differences = await withSnapshot(db, tenantId, (tx) => checkBalances(tx, { tenantId, isWhole }));
  if (differences.length === 0) return;
  const shown = differences.map(({ accountId, number, expected, found }) =>
    [accountId, number, expected, found].join(" "),
  );
  throw new Error(`The ledger has differences: ${shown.join(", ")}`);
}

/** Checks the tables with separate SQL, independently of Purser's code. */
async function checkRows(databaseUrl: string, ledgers: readonly Ledger[], accepted: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select
       (select count(*)::integer from ledger_transfers where tenant_id = any($1)) as transfers,
       (select count(*)::integer from ledger_accounts a where tenant_id = any($1)
          and kind = 'wallet' and (posted, held) is distinct from (
            coalesce((select sum(amount) from ledger_transfers t where t.tenant_id = a.tenant_id
              and credit_account_id = account_id and t.kind in ('direct', 'post')), 0)
            - coalesce((select sum(amount) from ledger_transfers t where t.tenant_id = a.tenant_id
              and debit_account_id = account_id and t.kind in ('direct', 'post')), 0),
            coalesce((select sum(amount) from ledger_transfers t where t.tenant_id = a.tenant_id
              and debit_account_id = account_id and t.kind = 'hold' and not exists (
                select from ledger_transfers r where r.tenant_id = t.tenant_id and r.pending_id = t.transfer_id)), 0))
       ) as wrong`,
    [ledgers.map(({ tenantId }) => tenantId)],
  );
  await client.end();
  const expected = { transfers: accepted, wrong: 0 };
  if (JSON.stringify(rows[0]) !== JSON.stringify(expected)) {
    throw new Error(`Found ${JSON.stringify(rows[0])}, expected ${JSON.stringify(expected)}`);
  }
}

/** Repeats the work until the signal is aborted or the work fails. */
async function repeat(signal: AbortSignal, pauseMs: number, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await work();
    await wait(pauseMs, undefined, { signal }).catch(() => {});
  }
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { type SeededAccounts, seedAccounts, seedWallet, usdcBalance } from "../../test/ledger-accounts.ts";
import type { Tx } from "../db/database.ts";
import { withSnapshot, withTransaction } from "../db/transaction.ts";
import type { LedgerTransferId, TenantId } from "../foundation/ids.ts";
import { checkBalances } from "./check/check-balances.ts";
import { type Move, moveMoney } from "./move-money.ts";
import { updateAccounts } from "./queries.ts";

/** Wallets and holds are numbered in the order in which they were made. */
interface MoveStep {
  readonly kind: "direct" | "hold";
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
}

interface ResolutionStep {
  readonly kind: "post" | "void";
  readonly hold: number;
  readonly amount: bigint;
}

interface FreezeStep {
  readonly kind: "freeze";
  readonly wallet: number;
  readonly isFrozen: boolean;
}

type Step = MoveStep | ResolutionStep | FreezeStep;

interface Hold {
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
  isOpen: boolean;
}

const WALLETS = 3;
const OPENING = 50n;
const wallet = fc.nat({ max: WALLETS - 1 });
const amount = fc.bigInt({ min: 1n, max: 40n });
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom("direct" as const, "hold" as const),
      from: wallet,
      // The number after the last wallet is the external account.
      to: fc.nat({ max: WALLETS }),
      amount,
    }),
    fc.record({
      kind: fc.constantFrom("post" as const, "void" as const),
      hold: fc.nat({ max: 9 }),
      amount,
    }),
    fc.record({ kind: fc.constant("freeze" as const), wallet, isFrozen: fc.boolean() }),
  ),
  { maxLength: 25 },
);

interface LedgerState {
  readonly accounts: readonly SeededAccounts[];
  readonly external: SeededAccounts;
  readonly holdIds: LedgerTransferId[];
}

/** The same rules as the ledger's, in memory. */
class Model {
  readonly wallets = Array.from({ length: WALLETS }, () => ({
    total: OPENING,
    held: 0n,
    isFrozen: false,
  }));
  readonly holds: Hold[] = [];

  apply(step: Step): string {
    if (step.kind === "freeze") {
      this.#wallet(step.wallet).isFrozen = step.isFrozen;
      return "done";
    }
    return "hold" in step ? this.#resolve(step) : this.#move(step);
  }

  #wallet(index: number) {
    const found = this.wallets[index];
    if (found === undefined) throw new Error(`There is no wallet ${index}.`);
    return found;
  }

  #move({ kind, from, to, amount }: MoveStep): string {
    const payer = this.#wallet(from);
    if (from === to) return "same_account";
    if (payer.isFrozen) return "wallet_frozen";
    if (payer.total - payer.held < amount) return "insufficient_funds";
    if (kind === "hold") {
      payer.held += amount;
      this.holds.push({ from, to, amount, isOpen: true });
    } else this.#post(from, to, amount);
    return "done";
  }

  #resolve({ kind, hold, amount }: ResolutionStep): string {
    const found = this.holds[hold];
    if (found === undefined) return "hold_not_found";
    if (!found.isOpen) return "already_resolved";
    if (kind === "post" && amount > found.amount) return "exceeds_hold";
    if (kind === "post" && this.#wallet(found.from).isFrozen) return "wallet_frozen";
    found.isOpen = false;
    this.#wallet(found.from).held -= found.amount;
    if (kind === "post") this.#post(found.from, found.to, amount);
    return "done";
  }

  #post(from: number, to: number, amount: bigint): void {
    this.#wallet(from).total -= amount;
    if (to < WALLETS) this.#wallet(to).total += amount;
  }
}

describe("the ledger after any sequence of moves", () => {
  const harness = useHarness();

  it("has the outcomes and the balances of the model, and no differences", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const tenantId = await harness.seedDeveloper();
        const accounts: SeededAccounts[] = [];
        for (let count = 0; count < WALLETS; count += 1) {
          accounts.push(await seedWallet(harness.app, tenantId, OPENING));
        }
        const external = await seedAccounts(harness.app, tenantId, "external");
        const model = new Model();
        const holdIds: LedgerTransferId[] = [];

        for (const step of sequence) {
          const outcome = await apply(tenantId, step, { accounts, external, holdIds });
          expect([step, outcome]).toEqual([step, model.apply(step)]);
        }

        const balances = await Promise.all(accounts.map((each) => usdcBalance(harness.app, each)));
        expect(balances).toMatchObject(model.wallets.map(({ total, held }) => ({ total, held })));
        const differences = await withSnapshot(harness.app.db, tenantId, (tx) =>
          checkBalances(tx, { tenantId, isWhole: false }),
        );
        expect(differences).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  async function apply(tenantId: TenantId, step: Step, { accounts, external, holdIds }: LedgerState): Promise<string> {
    const inTransaction = <Result>(work: (tx: Tx) => Promise<Result>) =>
      withTransaction(harness.app.db, tenantId, work);
    if (step.kind === "freeze") {
      const { key } = accounts[step.wallet] ?? external;
      await inTransaction((tx) => updateAccounts(tx, key, { frozen: step.isFrozen ? "outgoing_only" : null }));
      return "done";
    }
    const move = moveOf(step, [...accounts, external], holdIds);
    const made = await inTransaction((tx) => moveMoney(tx, move));
    if (step.kind === "hold" && "transferId" in made) holdIds.push(made.transferId);
    return made.outcome;
  }

  function moveOf(
    step: MoveStep | ResolutionStep,
    accounts: readonly SeededAccounts[],
    holdIds: readonly LedgerTransferId[],
  ): Move {
    const common = {
      mode: "test",
      cause: { type: "payment", id: "pay_1" },
      at: harness.clock.now(),
      amount: { asset: "usdc", baseUnits: step.amount },
      ignoresFreeze: false,
    } as const;
    if ("hold" in step) {
      return { ...common, kind: step.kind, holdId: holdIds[step.hold] ?? "ltr_unknown" };
    }
    const usdcOf = (index: number) => accounts[index]?.usdc ?? "lac_unknown";
    return {
      ...common,
      kind: step.kind,
      debitAccountId: usdcOf(step.from),
      creditAccountId: usdcOf(step.to),
    };
  }
});

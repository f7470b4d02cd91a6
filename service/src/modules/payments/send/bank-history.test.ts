import { randomInt, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { repetitions, testMaxMs } from "../../../../test/campaign.ts";
import { useHarness } from "../../../../test/harness.ts";
import { expectSumsToMatch } from "../../../../test/payments/money-state.ts";
import { type Payer, seedPayer } from "../../../../test/payments/pay.ts";

const CLIENTS = 4;
const SHARED_WALLETS = 3;
const READERS = 2;
const TRANSFERS_EACH = Math.ceil(repetitions(60) / CLIENTS);
const OPENING = 20;
const TOTAL = (SHARED_WALLETS + CLIENTS) * OPENING;
const ALLOW = { id: "allow", effect: "allow", operation: "payment" };

describe("transfers of several clients between the wallets of an account", () => {
  const harness = useHarness({ environment: { PURSER_KEY_BURST: "10000000" } });

  it(
    "each list of the wallets has the same total, and a client that was answered reads what it has moved",
    async () => {
      const payers = await arrange();
      const shared = payers.slice(0, SHARED_WALLETS);
      const clients = payers.slice(SHARED_WALLETS);
      const figures = { transfers: 0, lists: 0, fromCache: 0 };
      let isOver = false;

      const transferring = clients.map((own) => runClient(own, shared, figures));
      const reading = Array.from({ length: READERS }, async () => {
        while (!isOver) {
          expect(await totalOf(payers)).toBe(TOTAL);
          // Fills the cache while others move money.
          for (const payer of clients) await readBalance(payer);
          figures.lists += 1;
        }
      });
      await Promise.all([
        Promise.all(transferring).finally(() => {
          isOver = true;
        }),
        ...reading,
      ]);

      process.stdout.write(`${JSON.stringify(figures)}\n`);
      expect(figures.transfers).toBeGreaterThan((CLIENTS * TRANSFERS_EACH) / 2);
      expect(figures.fromCache).toBeGreaterThan(0);
      expect(await totalOf(payers)).toBe(TOTAL);
      await expectSumsToMatch(harness.app, tenantOf(payers).tenantId);
    },
    testMaxMs(60_000),
  );

  async function arrange(): Promise<readonly Payer[]> {
    const baseUnits = BigInt(OPENING) * 1_000_000n;
    const first = await seedPayer(harness, { rules: [ALLOW], baseUnits });
    const { tenant } = first;
    const { policy_id: policyId } = (await tenant.get(`/agents/${first.agentId}`)).body;
    const payers = [first];
    while (payers.length < SHARED_WALLETS + CLIENTS) {
      payers.push(await seedPayer(harness, { tenant, policyId, baseUnits }));
    }
    return payers;
  }

  /**
   * Moves money between shared wallets, and from and to the client's own wallet, which no other client uses. After each
   * answer, the balance of the own wallet must be exact.
   */
  async function runClient(
    own: Payer,
    shared: readonly Payer[],
    figures: { transfers: number; fromCache: number },
  ): Promise<void> {
    let expected = OPENING;
    for (let number = 0; number < TRANSFERS_EACH; number += 1) {
      const transfer = randomTransfer(own, shared);
      if (await pay(transfer)) {
        figures.transfers += 1;
        expected += changeOf(own, transfer);
      }
      const balance = await readBalance(own);
      expect(balance.total).toBe(expected);
      figures.fromCache += Number(balance.source === "cache");
    }
  }

  /** Returns false if the balance is too small. */
  async function pay({ from, to, amount }: Transfer): Promise<boolean> {
    // Equal requests of one second have the same signature.
    const reference = randomUUID();
    const { status } = await from.pay({ to: to.walletId, amount: `${amount}`, reference });
    expect([200, 402]).toContain(status);
    return status === 200;
  }

  async function readBalance({ tenant, walletId }: Payer) {
    const { body } = await tenant.get(`/wallets/${walletId}/balance`, { nonce: randomUUID() });
    return { total: Number(body.balances[0].total), source: body.source as string };
  }

  /** Adds the balances of all wallets, which are read in one statement. */
  async function totalOf(payers: readonly Payer[]): Promise<number> {
    const { body } = await tenantOf(payers).get("/wallets");
    expect(body.data).toHaveLength(payers.length);
    return body.data.reduce(
      (sum: number, { balances }: { balances: { total: string }[] }) => sum + Number(balances[0]?.total),
      0,
    );
  }
});

interface Transfer {
  readonly from: Payer;
  readonly to: Payer;
  readonly amount: number;
}

function randomTransfer(own: Payer, shared: readonly Payer[]): Transfer {
  const [from, to, amount] = [pick(shared), pick(shared), 1 + randomInt(9)];
  if (from === to) return { from: own, to, amount };
  return { from, to: randomInt(2) === 0 ? own : to, amount };
}

/** Returns what the transfer adds to the wallet of the payer. */
function changeOf(payer: Payer, { from, to, amount }: Transfer): number {
  if (to === payer) return amount;
  return from === payer ? -amount : 0;
}

function pick(payers: readonly Payer[]): Payer {
  const payer = payers[randomInt(payers.length)];
  if (payer === undefined) throw new Error("There is no payer.");
  return payer;
}

function tenantOf([payer]: readonly Payer[]): Payer["tenant"] {
  if (payer === undefined) throw new Error("There is no payer.");
  return payer.tenant;
}

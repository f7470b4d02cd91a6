import { randomInt, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { repetitions, testMaxMs } from "../../../test/campaign.ts";
import { useHarness } from "../../../test/harness.ts";
import { expectSumsToMatch } from "../../../test/payments/money-state.ts";
import { type Payer, seedPayer } from "../../../test/payments/pay.ts";

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
      const figures = { transfers: 0, refused: 0, lists: 0, fromCache: 0 };
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
    figures: { transfers: number; refused: number; fromCache: number },
  ): Promise<void> {
    let expected = OPENING;
    for (let number = 0; number < TRANSFERS_EACH; number += 1) {
      const [from, to] = randomTransfer(own, shared);
      const amount = 1 + randomInt(9);
      const { status } = await from.pay({ to: to.walletId, amount: `${amount}` }, signedAt(number));
      expect([200, 402]).toContain(status);
      if (status === 200) {
        figures.transfers += 1;
        if (to === own) expected += amount;
        if (from === own) expected -= amount;
      } else figures.refused += 1;
      const balance = await readBalance(own);
      expect(balance.total).toBe(expected);
      if (balance.source === "cache") figures.fromCache += 1;
    }
  }

  /** Another second for each of a client's payments, because equal requests of one second have the same signature. */
  function signedAt(number: number) {
    const nowSeconds = Math.floor(harness.clock.now().getTime() / 1_000);
    return { timestamp: String(nowSeconds + (number % 50) - 25) };
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
      (sum: number, { balances }: { balances: { total: string }[] }) =>
        sum + Number(balances[0]?.total),
      0,
    );
  }
});

function randomTransfer(own: Payer, shared: readonly Payer[]): readonly [Payer, Payer] {
  const from = pick(shared);
  const to = pick(shared);
  if (from === to) return [own, to];
  return randomInt(2) === 0 ? [from, own] : [from, to];
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

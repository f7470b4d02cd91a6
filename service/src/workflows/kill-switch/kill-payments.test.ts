import { describe, expect, it, onTestFinished } from "vitest";
import { repetitions, testMaxMs } from "../../../test/campaign.ts";
import { type ApiResponse, useHarness } from "../../../test/harness.ts";
import { countOf, killSwitchesOf } from "../../../test/kill-switches/kill-switches.ts";
import { expectSumsToMatch } from "../../../test/payments/money-state.ts";
import { seedPayer } from "../../../test/payments/pay.ts";
import type { TenantId } from "../../foundation/ids.ts";

const AUTHORIZATIONS = repetitions(100);
const SENDERS = 32;

describe("payments under a kill switch", () => {
  const harness = useHarness({
    settings: { keyBucket: { capacity: 1_000_000, refillPerSecond: 1_000_000 } },
  });
  const { trigger } = killSwitchesOf(harness);

  /** Calls `work` for the numbers below `count`, a few at a time. */
  async function inParallel(count: number, work: (index: number) => Promise<unknown>) {
    let next = 0;
    const worker = async () => {
      while (next < count) {
        const index = next;
        next += 1;
        await work(index);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  }

  it(
    "none settles or is captured after the answer, with open authorizations and 32 senders",
    async () => {
      const payer = await seedPayer(harness);
      const { tenantId } = payer.tenant;
      const open: string[] = [];
      await inParallel(AUTHORIZATIONS, async () => {
        const answer = await payer.pay({ amount: "0.01", execution: "authorize_only" });
        expect(answer.status, answer.text).toBe(200);
        open.push(answer.body.payment_id);
      });
      let isOver = false;
      const statuses = new Map<number, number>();
      const repeat = async (call: () => Promise<ApiResponse>) => {
        while (!isOver) {
          const { status } = await call();
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      const captureAll = async () => {
        for (const id of open) {
          if (isOver) return;
          const { status } = await payer.post(`/payments/${id}/capture`);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      const running = [
        ...Array.from({ length: SENDERS }, () => repeat(() => payer.pay({ amount: "0.01" }))),
        captureAll(),
      ];
      const paid = () => countPaid(tenantId);
      onTestFinished(() => {
        isOver = true;
      });
      await expect.poll(paid, { timeout: 30_000 }).toBeGreaterThan(20);

      const { body } = await trigger(payer.tenant, { scope: "agent", id: payer.agentId });
      const paidAtAnswer = await paid();
      const balanceAtAnswer = await payer.balance();
      isOver = true;
      await Promise.all(running);

      expect(body.status).toBe("completed");
      expect(countOf(body, "payment", "killed")).toBeGreaterThan(AUTHORIZATIONS / 2);
      expect(body.targets_omitted + body.targets.length).toBe(
        2 + countOf(body, "payment", "killed") + countOf(body, "payment", "already_dead"),
      );
      expect(await paid()).toBe(paidAtAnswer);
      expect(await payer.balance()).toEqual({ ...balanceAtAnswer, held: 0n });
      expect(statuses.get(500)).toBeUndefined();
      await expectSumsToMatch(harness.app, tenantId);
    },
    testMaxMs(300_000),
  );

  it("a payment that waits for an approval is canceled, and its approval too", async () => {
    const rules = [
      { id: "allow", effect: "allow", operation: "payment" },
      { id: "ask", effect: "require_approval", operation: "payment" },
    ];
    const payer = await seedPayer(harness, { rules });
    const sent = await payer.pay();
    expect(sent.status).toBe(202);

    const { body } = await trigger(payer.tenant, { scope: "agent", id: payer.agentId });

    expect(body.status).toBe("completed");
    expect(countOf(body, "approval", "killed")).toBe(1);
    const payment = await payer.tenant.get(`/payments/${sent.body.payment_id}`);
    expect(payment.body.status).toBe("canceled");
  });

  async function countPaid(tenantId: TenantId): Promise<number> {
    const { count } = await harness.app.db
      .selectFrom("payments")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("tenantId", "=", tenantId)
      .where("status", "in", ["confirmed", "captured"])
      .executeTakeFirstOrThrow();
    return Number(count);
  }
});

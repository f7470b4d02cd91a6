import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../test/harness.ts";
import { expectSumsToMatch } from "../../../test/payments/money-state.ts";
import { type PaymentAction, paymentsOf } from "../../../test/payments/payments-of.ts";
import { PAYMENT_STATUSES, type PaymentStatus } from "../../foundation/vocabulary.ts";
import { cancelPaymentsOf, expirePayments } from "./end-waiting-payments.ts";

/** The status after each action. In any other status, the action is refused. */
const NEXT: Record<PaymentAction | "freeze" | "expiry", Partial<Record<PaymentStatus, PaymentStatus>>> = {
  capture: { authorized: "captured" },
  void: { authorized: "voided" },
  cancel: { authorized: "canceled", requires_approval: "canceled", queued: "canceled" },
  refund: { confirmed: "refunded", captured: "refunded", partially_refunded: "refunded" },
  freeze: { authorized: "canceled", requires_approval: "canceled", queued: "canceled" },
  expiry: { authorized: "expired", requires_approval: "expired" },
};

const PAID: readonly PaymentStatus[] = ["confirmed", "captured", "partially_refunded", "refunded"];

describe("what each action does to a payment of each status", () => {
  const harness = useHarness();
  const { arrange } = paymentsOf(harness);
  type Arranged = Awaited<ReturnType<typeof arrange>>;

  /** Inserts a payment of this status. A paid one was paid in full, and refunded as far as its status says. */
  async function seedStatus({ seed, act, set }: Arranged, status: PaymentStatus): Promise<string> {
    if (!PAID.includes(status)) return seed({ status });
    const paymentId = await seed({ status: status === "captured" ? "authorized" : "confirmed" });
    if (status === "captured") await act("capture", paymentId);
    if (status === "partially_refunded") await act("refund", paymentId, { amount: "1" });
    if (status === "refunded") await act("refund", paymentId);
    await set(paymentId, status);
    return paymentId;
  }

  const apply: Record<
    keyof typeof NEXT,
    (arranged: Arranged, paymentId: string) => Promise<readonly [number, unknown]>
  > = {
    capture: async ({ act }, id) => outcomeOf(await act("capture", id)),
    void: async ({ act }, id) => outcomeOf(await act("void", id)),
    cancel: async ({ act }, id) => outcomeOf(await act("cancel", id)),
    refund: async ({ act }, id) => outcomeOf(await act("refund", id)),
    freeze: async ({ freeze, tenantId, payer }) => {
      await freeze(payer.walletId);
      return [await cancelPaymentsOf(harness.app, { tenantId, ...payer }), undefined];
    },
    expiry: async () => {
      harness.clock.advanceSeconds(7 * 86_400);
      await expirePayments(harness.app);
      return [0, undefined];
    },
  };

  it.each(Object.keys(NEXT) as (keyof typeof NEXT)[])("%s", async (action) => {
    const outcomes: Record<string, string> = {};
    for (const status of PAYMENT_STATUSES) {
      const arranged = await arrange({ cap: "500.00" });
      const paymentId = await seedStatus(arranged, status);
      const [code] = await apply[action](arranged, paymentId);
      if (code >= 400) expect(code).toBe(409);
      const after = (await arranged.stored(paymentId)).status;
      if (after !== status) outcomes[status] = after;
      await expectSumsToMatch(harness.app, arranged.tenantId);
    }
    expect(outcomes).toEqual(NEXT[action]);
  });
});

import { randomInt, randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repetitions, testMaxMs } from "../../../../test/campaign.ts";
import { type ApiResponse, useHarness } from "../../../../test/harness.ts";
import { expectSumsToMatch } from "../../../../test/payments/money-state.ts";
import { type Payer, seedPayer } from "../../../../test/payments/pay.ts";
import { PaymentModel, type Step } from "../../../../test/payments/payment-model.ts";
import { randomAddress } from "../../../../test/wallets/seed-wallet.ts";
import { cancelFrozenPayments } from "../end-waiting-payments.ts";

const WALLETS = 3;
const OPENING = 40;
/** The cap of the project in which all payments count. */
const CAP = 90;
const MICROS = 1_000_000n;
/** Set it to the seed that a failed run has printed, to repeat that run. */
const SEED = Number(process.env["PURSER_MODEL_SEED"] ?? randomInt(2 ** 31));
const UNKNOWN_ID = "pay_01kaz000000000000000000000";
const ALLOW = { id: "allow", effect: "allow", operation: "payment" };

const wallet = fc.nat({ max: WALLETS - 1 });
const payment = fc.nat({ max: 5 });
const amount = fc.integer({ min: 1, max: 30 });
const steps = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("fund" as const), wallet, amount }) },
    {
      weight: 7,
      arbitrary: fc
        .record({
          kind: fc.constantFrom("send" as const, "authorize" as const),
          from: wallet,
          to: fc.nat({ max: WALLETS }),
          amount,
        })
        .filter(({ from, to }) => from !== to),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom("capture" as const, "refund" as const),
        payment,
        amount: fc.option(amount, { nil: undefined }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom("void" as const, "cancel" as const), payment }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("freeze" as const),
        wallet,
        mode: fc.constantFrom("outgoing_only" as const, "full" as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("unfreeze" as const), wallet }) },
    { weight: 1, arbitrary: fc.constant({ kind: "job" as const }) },
  ),
  { minLength: 10, maxLength: 24 },
);

describe("wallets and payments after any sequence of calls", () => {
  const harness = useHarness({ environment: { PURSER_KEY_BURST: "10000000" } });

  it(
    "have the responses, balances, payments and spending of the model",
    async () => {
      process.stdout.write(`seed ${SEED}\n`);
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          const { payers, projectId } = await arrange();
          const model = new PaymentModel({ wallets: WALLETS, opening: OPENING, cap: CAP });
          const paymentIds: string[] = [];

          for (const step of sequence) {
            // Equal requests of one second have the same signature.
            harness.clock.advanceSeconds(1);
            const outcome = await call(step, { payers, paymentIds, model });
            expect([step, outcome]).toEqual([step, model.apply(step)]);
            await expectBalances(payers, model);
          }

          await expectPayments(payers, paymentIds, model);
          const tenant = tenantOf(payers);
          const { body } = await tenant.get(`/projects/${projectId}`);
          expect(Number(body.usage.spent) + Number(body.usage.reserved)).toBe(model.used);
          await expectSumsToMatch(harness.app, tenant.tenantId);
        }),
        { numRuns: repetitions(8), seed: SEED },
      );
    },
    testMaxMs(90_000),
  );

  async function arrange() {
    const first = await seedPayer(harness, { rules: [ALLOW], baseUnits: BigInt(OPENING) * MICROS });
    const { tenant } = first;
    const { policy_id: policyId } = (await tenant.get(`/agents/${first.agentId}`)).body;
    const payers = [first];
    while (payers.length < WALLETS) {
      payers.push(await seedPayer(harness, { tenant, policyId, baseUnits: BigInt(OPENING) * MICROS }));
    }
    const project = { name: "shop", monthly_cap: `${CAP}.00`, agent_ids: payers.map(agentIdOf) };
    const { body } = await tenant.post("/projects", project);
    return { payers, projectId: body.project_id as string };
  }

  interface Called {
    readonly payers: readonly Payer[];
    readonly paymentIds: string[];
    readonly model: PaymentModel;
  }

  /** Makes the call. Returns its status, with the error code of a refusal. */
  async function call(step: Step, called: Called): Promise<string> {
    if (step.kind === "job") {
      await cancelFrozenPayments(harness.app);
      return "done";
    }
    const { status, body } = await answerOf(step, called);
    if ((step.kind === "send" || step.kind === "authorize") && status === 200) {
      called.paymentIds.push(body.payment_id);
    }
    return body?.code === undefined ? `${status}` : `${status} ${body.code}`;
  }

  function answerOf(step: Exclude<Step, { kind: "job" }>, called: Called): Promise<ApiResponse> {
    if ("from" in step) return send(step, called);
    if ("payment" in step) return change(step, called);
    const { walletId } = payerOf(called.payers, step.wallet);
    return tenantOf(called.payers).post(`/wallets/${walletId}/${step.kind}`, bodyOf(step));
  }

  function send(step: Extract<Step, { from: number }>, { payers }: Called) {
    const to = payers[step.to]?.walletId ?? randomAddress();
    const execution = step.kind === "send" ? "auto" : "authorize_only";
    return payerOf(payers, step.from).pay({ to, execution, amount: `${step.amount}` });
  }

  /** Changes a payment as the agent that may: its payer, or the payee for a refund. */
  function change(
    step: Extract<Step, { payment: number }>,
    { payers, paymentIds, model }: Called,
  ): Promise<ApiResponse> {
    const { from, to } = model.payments[step.payment] ?? { from: 0, to: 0 };
    // An address has no agent, so its payer asks.
    const agent = step.kind === "refund" && to < WALLETS ? to : from;
    const path = `/payments/${paymentIds[step.payment] ?? UNKNOWN_ID}/${step.kind}`;
    return payerOf(payers, agent).post(path, bodyOf(step));
  }

  /** Compares the balances of the API, which can come from the cache. */
  async function expectBalances(payers: readonly Payer[], { wallets }: PaymentModel) {
    for (const [index, { tenant, walletId }] of payers.entries()) {
      const { body } = await tenant.get(`/wallets/${walletId}/balance`, { nonce: randomUUID() });
      const { total, held } = body.balances[0];
      expect([Number(total), Number(held)]).toEqual([wallets[index]?.total, wallets[index]?.held]);
    }
  }

  async function expectPayments(payers: readonly Payer[], paymentIds: readonly string[], { payments }: PaymentModel) {
    const found = [];
    for (const paymentId of paymentIds) {
      const { body } = await tenantOf(payers).get(`/payments/${paymentId}`);
      const { status, paid_amount, refunded_amount } = body;
      found.push({ status, paid: Number(paid_amount), refunded: Number(refunded_amount) });
    }
    expect(found).toEqual(payments.map(({ status, paid, refunded }) => ({ status, paid, refunded })));
  }
});

/** Returns the body of a call that is about a wallet or a payment. */
function bodyOf(step: Exclude<Step, { kind: "job" } | { from: number }>): object {
  if (step.kind === "freeze") return { reason: "anomaly", mode: step.mode };
  return "amount" in step && step.amount !== undefined ? { amount: `${step.amount}` } : {};
}

const agentIdOf = ({ agentId }: Payer) => agentId;

function payerOf(payers: readonly Payer[], index: number): Payer {
  const payer = payers[index];
  if (payer === undefined) throw new Error(`There is no payer ${index}.`);
  return payer;
}

function tenantOf(payers: readonly Payer[]): Payer["tenant"] {
  return payerOf(payers, 0).tenant;
}

import { randomUUID } from "node:crypto";
import type { Call } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import type { Operation, WrongCall } from "./operation.ts";
import { row, wrong } from "./row.ts";

const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";

/** A payment of the agent whose test wallet an earlier operation has funded. */
function payment(fields: object = {}) {
  return ({ recall }: ConformanceContext) => {
    const agentId = recall("test agent");
    return {
      headers: { "x-agent-id": agentId, "idempotency-key": randomUUID() },
      // Two identical requests of one second have the same signature, which is accepted once.
      body: { agent_id: agentId, amount: "1.00", to: PAYEE, reference: randomUUID(), ...fields },
    };
  };
}

const wrongPayments: readonly WrongCall[] = [
  wrong("no X-Agent-ID", 422, { request: (context) => ({ ...payment()(context), headers: {} }) }),
  wrong("a payee that is no address", 422, { request: payment({ to: "0x1" }) }),
  wrong("an agent's network without a wallet", 404, { request: payment({ network: "polygon" }) }),
];

const inTestMode = { as: ({ test }: ConformanceContext) => test };

/** Sends a payment of the test agent, and saves its id. */
async function send(context: ConformanceContext, fields: object = {}): Promise<void> {
  const call: Call = { method: "POST", path: "/payments/send", ...payment(fields)(context) };
  context.saved.set("payment_id", text(await context.test(call), "payment_id"));
}

/** A change of the saved payment, in the name of the agent that was saved under this name. */
function changeBy(agent: string, body: object = {}) {
  return ({ recall }: ConformanceContext) => ({
    headers: { "x-agent-id": recall(agent), "idempotency-key": randomUUID() },
    body,
  });
}

/** An operation that changes a new payment, which `before` sends. */
function change(
  verb: "capture" | "void" | "refund" | "cancel",
  before: (context: ConformanceContext) => Promise<void>,
  agent = "test agent",
): Operation {
  return row(`POST /payments/{payment_id}/${verb}`, {
    ...inTestMode,
    before,
    request: changeBy(agent),
    wrong: [
      wrong("a payment with another status", 409, { request: changeBy("test agent") }),
      // Has no body, so that its signature differs from that of the other calls of the same second.
      wrong("another agent", 404, { request: () => ({ headers: { "x-agent-id": randomUUID() } }) }),
      wrong("an unknown field", 422, { request: changeBy("test agent", { amounts: "1" }) }),
    ],
  });
}

const authorize = (context: ConformanceContext) => send(context, { execution: "authorize_only" });

/** Pays another agent of the account, which then refunds the payment. */
async function payAgent(context: ConformanceContext): Promise<void> {
  const payee = randomUUID();
  const body = { agent_id: payee, network: "base-sepolia" };
  await context.test({ method: "POST", path: "/wallets/create", body });
  context.saved.set("paid agent", payee);
  await send(context, { to: payee });
}

/** Payments of the agent whose wallet the wallet operations have created and funded. */
export const paymentOperations: readonly Operation[] = [
  row("POST /payments/simulate", { ...inTestMode, request: payment(), wrong: wrongPayments }),
  row("POST /payments/send", {
    ...inTestMode,
    request: payment(),
    wrong: [
      ...wrongPayments,
      wrong("more than the balance", 402, { request: payment({ amount: "999.00" }) }),
      wrong("more than a policy allows", 403, { request: payment({ amount: "9999" }) }),
    ],
    save: { payment_id: "payment_id" },
  }),
  row("GET /payments", inTestMode),
  row("GET /payments/{payment_id}", inTestMode),
  change("capture", authorize),
  change("void", authorize),
  change("refund", payAgent, "paid agent"),
  change("cancel", authorize),
];

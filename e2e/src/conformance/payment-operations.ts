import { randomUUID } from "node:crypto";
import type { Call } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation } from "./make-operations.ts";
import type { Operation, WrongCall } from "./operation.ts";

const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";

/** A call in the name of the agent whose test wallet an earlier operation has funded. */
function agentCall(path: string, fields: object = {}) {
  return ({ recall }: ConformanceContext): Call => {
    const agentId = recall("test agent");
    // Two identical requests of one second have the same signature, which is accepted once.
    const reference = randomUUID();
    const body = { agent_id: agentId, amount: "1.00", to: PAYEE, reference, ...fields };
    const headers = { "x-agent-id": agentId, "idempotency-key": randomUUID() };
    return { method: "POST", path, headers, body };
  };
}

function refused(description: string, status: number, call: (context: ConformanceContext) => Call): WrongCall {
  return { description, status, call: (context) => context.test(call(context)) };
}

const wrongPayments = (path: string): WrongCall[] => [
  refused("no X-Agent-ID", 422, (context) => ({ ...agentCall(path)(context), headers: {} })),
  refused("a payee that is no address", 422, agentCall(path, { to: "0x1" })),
  refused("an agent's network without a wallet", 404, agentCall(path, { network: "polygon" })),
];

/** Sends a payment of the test agent, and returns its id. */
async function send(context: ConformanceContext, fields: object = {}): Promise<string> {
  const sent = await context.test(agentCall("/payments/send", fields)(context));
  return text(sent, "payment_id");
}

/** A change of the payment that an earlier operation has sent, in the name of the agent that was saved under this name. */
function changeCall(verb: string, agent = "test agent", body: object = {}) {
  return ({ recall }: ConformanceContext): Call => ({
    method: "POST",
    path: `/payments/${recall("payment")}/${verb}`,
    headers: { "x-agent-id": recall(agent), "idempotency-key": randomUUID() },
    body,
  });
}

/** An operation that changes a new payment, which `prepare` sends. */
function change(
  verb: "capture" | "void" | "refund" | "cancel",
  prepare: (context: ConformanceContext) => Promise<string>,
  agent?: string,
): Operation {
  const credential = verb === "cancel" ? "tenant" : "signed";
  const call = changeCall(verb, agent);
  // Has no body, so that its signature differs from that of the other calls of the same second.
  const otherAgent = ({ recall }: ConformanceContext): Call => ({
    method: "POST",
    path: `/payments/${recall("payment")}/${verb}`,
    headers: { "x-agent-id": randomUUID() },
  });
  const operation = authenticatedOperation(`POST /payments/{payment_id}/${verb}`, credential, 200, call, {
    mode: "test",
    moreWrongCalls: [
      refused("a payment with another status", 409, changeCall(verb)),
      refused("another agent", 404, otherAgent),
      refused("an unknown field", 422, changeCall(verb, "test agent", { amounts: "1" })),
    ],
  });
  return {
    ...operation,
    call: async (context) => {
      context.saved.set("payment", await prepare(context));
      return operation.call(context);
    },
  };
}

const authorize = (context: ConformanceContext) => send(context, { execution: "authorize_only" });

/** Pays another agent of the account, which then refunds the payment. */
async function payAgent(context: ConformanceContext): Promise<string> {
  const payee = randomUUID();
  const sent = await context.test(agentCall("/payments/send")(context));
  const body = { agent_id: payee, network: text(sent, "network") };
  await context.test({ method: "POST", path: "/wallets/create", body });
  context.saved.set("paid agent", payee);
  return send(context, { to: payee });
}

/** Payments of the agent whose wallet the wallet operations have created and funded. */
export const paymentOperations: readonly Operation[] = [
  authenticatedOperation("POST /payments/simulate", "signed", 200, agentCall("/payments/simulate"), {
    mode: "test",
    moreWrongCalls: wrongPayments("/payments/simulate"),
  }),
  authenticatedOperation("POST /payments/send", "signed", 200, agentCall("/payments/send"), {
    mode: "test",
    moreWrongCalls: [
      ...wrongPayments("/payments/send"),
      refused("more than the balance", 402, agentCall("/payments/send", { amount: "999.00" })),
      refused("more than a policy allows", 403, agentCall("/payments/send", { amount: "9999" })),
    ],
    save: (response, { saved }) => saved.set("payment", text(response, "payment_id")),
  }),
  authenticatedOperation(
    "GET /payments",
    "tenant",
    200,
    { method: "GET", path: "/payments" },
    {
      mode: "test",
    },
  ),
  authenticatedOperation(
    "GET /payments/{payment_id}",
    "tenant",
    200,
    ({ recall }) => ({ method: "GET", path: `/payments/${recall("payment")}` }),
    { mode: "test" },
  ),
  change("capture", authorize),
  change("void", authorize),
  change("refund", payAgent, "paid agent"),
  change("cancel", authorize),
];

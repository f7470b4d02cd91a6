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
    const body = { agent_id: agentId, amount: "1.00", to: PAYEE, ...fields };
    const headers = { "x-agent-id": agentId, "idempotency-key": randomUUID() };
    return { method: "POST", path, headers, body };
  };
}

function refused(
  description: string,
  status: number,
  call: (context: ConformanceContext) => Call,
): WrongCall {
  return { description, status, call: (context) => context.test(call(context)) };
}

const wrongPayments = (path: string): WrongCall[] => [
  refused("no X-Agent-ID", 422, (context) => ({ ...agentCall(path)(context), headers: {} })),
  refused("a payee that is no address", 422, agentCall(path, { to: "0x1" })),
  refused("an agent's network without a wallet", 404, agentCall(path, { network: "polygon" })),
];

/** Payments of the agent whose wallet the wallet operations have created and funded. */
export const paymentOperations: readonly Operation[] = [
  authenticatedOperation(
    "POST /payments/simulate",
    "signed",
    200,
    agentCall("/payments/simulate"),
    {
      mode: "test",
      moreWrongCalls: wrongPayments("/payments/simulate"),
    },
  ),
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
];

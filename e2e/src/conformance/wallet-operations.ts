import { randomUUID } from "node:crypto";
import type { Call } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation } from "./make-operations.ts";
import type { Operation, WrongCall } from "./operation.ts";
import { walletFreezeOperations } from "./wallet-freeze-operations.ts";
import { boundCall, type CallOf, callOf } from "./wrong-credentials.ts";

const AGENT_ID = randomUUID();
const FUNDING = { amount: "10.00" };

/** Calls the route with the wallet that an earlier operation created. */
function onWallet(method: Call["method"], suffix: string, body?: object): CallOf {
  return ({ recall }: ConformanceContext) => ({
    method,
    path: `/wallets/${recall("wallet")}${suffix}`,
    ...(body !== undefined && { body }),
  });
}

function row(name: Operation["name"], call: CallOf): Operation {
  const headers = { "x-agent-id": randomUUID() };
  const asOther: CallOf = (context) => ({ ...callOf(call, context), headers });
  const otherAgent: WrongCall = {
    description: "X-Agent-ID names another agent",
    status: 404,
    call: (context) => context.live(callOf(asOther, context)),
  };
  return authenticatedOperation(name, "tenant", 200, call, {
    moreWrongCalls: [boundCall(404, call), otherAgent],
  });
}

const create: Call = {
  method: "POST",
  path: "/wallets/create",
  body: { agent_id: AGENT_ID, network: "base-sepolia" },
};
const fund = onWallet("POST", "/fund", FUNDING);

/** Only a test wallet can be funded, so this operation creates one. */
const fundTestWallet: Operation = {
  ...authenticatedOperation("POST /wallets/{wallet_id}/fund", "tenant", 200, fund, {
    moreWrongCalls: [
      {
        description: "a live key",
        status: 403,
        call: (context) => context.live(callOf(fund, context)),
      },
      {
        description: "a test key and a live wallet",
        status: 403,
        call: (context) => context.test(callOf(fund, context)),
      },
    ],
  }),
  call: async ({ test, saved }) => {
    saved.set("test agent", AGENT_ID);
    const walletId = text(await test(create), "wallet_id");
    return test({ method: "POST", path: `/wallets/${walletId}/fund`, body: FUNDING });
  },
};

export const walletOperations: readonly Operation[] = [
  authenticatedOperation("POST /wallets/create", "tenant", 201, create, {
    save: (response, { saved }) => saved.set("wallet", text(response, "wallet_id")),
    moreWrongCalls: [boundCall(404, create)],
  }),
  authenticatedOperation("GET /wallets", "tenant", 200, { method: "GET", path: "/wallets" }),
  row("GET /wallets/agent/{agent_id}", { method: "GET", path: `/wallets/agent/${AGENT_ID}` }),
  row("GET /wallets/{wallet_id}", onWallet("GET", "")),
  row("GET /wallets/{wallet_id}/balance", onWallet("GET", "/balance")),
  row("GET /wallets/{wallet_id}/activity", onWallet("GET", "/activity")),
  row("PATCH /wallets/{wallet_id}", onWallet("PATCH", "", { name: "conformance" })),
  fundTestWallet,
  ...walletFreezeOperations,
];

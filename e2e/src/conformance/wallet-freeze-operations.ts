import { randomUUID } from "node:crypto";
import { type Call, signedCaller } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { authenticatedOperation } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

const AGENT = randomUUID();

const creation = (agentId: string): Call => ({
  method: "POST",
  path: "/wallets/create",
  body: { agent_id: agentId, network: "base-sepolia" },
});

/** A call to the live wallet. */
function callTo(verb: string, body: object = {}) {
  return ({ recall }: ConformanceContext): Call => ({
    method: "POST",
    path: `/wallets/${recall("wallet")}/${verb}`,
    body,
  });
}

const ANOMALY = { reason: "anomaly" };

const freezeOnChain = authenticatedOperation(
  "POST /wallets/{wallet_id}/freeze-on-chain",
  "tenant",
  200,
  callTo("freeze-on-chain", ANOMALY),
  {
    moreWrongCalls: [
      {
        description: "a live wallet, whose chain cannot be called",
        status: 503,
        call: (context) => context.live(callTo("freeze-on-chain", ANOMALY)(context)),
      },
    ],
  },
);

/** Creates a key that is bound to the agent and may freeze its wallets. */
async function boundCaller({ baseUrl, session }: ConformanceContext) {
  const pair = await session({
    method: "POST",
    path: "/developers/me/keys",
    headers: { "x-svc-mode": "live" },
    body: { name: "bound to an agent", scopes: ["wallets:freeze"], agent_ids: [AGENT] },
  });
  return signedCaller(baseUrl, {
    apiKey: text(pair, "api_key"),
    apiSecret: text(pair, "api_secret"),
  });
}

/** Freezes of the live wallet that an earlier operation created. Only test mode simulates a chain, so one operation uses a test wallet. */
export const walletFreezeOperations: readonly Operation[] = [
  authenticatedOperation("POST /wallets/{wallet_id}/freeze", "tenant", 204, callTo("freeze", ANOMALY), {
    moreWrongCalls: [
      {
        description: "the reason other without a note",
        status: 422,
        call: (context) => context.live(callTo("freeze", { reason: "other" })(context)),
      },
    ],
  }),
  {
    ...freezeOnChain,
    call: async ({ test }) => {
      const walletId = text(await test(creation(AGENT)), "wallet_id");
      const path = `/wallets/${walletId}/freeze-on-chain`;
      return test({ method: "POST", path, body: ANOMALY });
    },
  },
  authenticatedOperation("POST /wallets/{wallet_id}/unfreeze", "tenant", 204, callTo("unfreeze"), {
    moreWrongCalls: [
      {
        description: "a key that is bound to the agent",
        status: 403,
        call: async (context) => (await boundCaller(context))(callTo("unfreeze")(context)),
      },
    ],
  }),
];

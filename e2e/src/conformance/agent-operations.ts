import { type Call, type Caller, signedCaller } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { killSwitchOperations } from "./kill-switch-operations.ts";
import { authenticatedOperation } from "./make-operations.ts";
import type { Operation, WrongCall } from "./operation.ts";

const OTHER_AGENT = "5f0f7d3c-2f0b-4b53-8d0e-0a3d6f6f9b11";

/** Returns a caller that signs with the key that an earlier operation bound to the agent. */
function boundCaller({ baseUrl, recall }: ConformanceContext): Caller {
  return signedCaller(baseUrl, {
    apiKey: recall("agent's api_key"),
    apiSecret: recall("agent's api_secret"),
  });
}

function callTo(method: Call["method"], suffix: string, body?: object) {
  return ({ recall }: ConformanceContext): Call => ({
    method,
    path: `/agents/${recall("agent")}${suffix}`,
    ...(body !== undefined && { body }),
  });
}

/** A call with a key that is bound to the agent. */
function boundCall(description: string, status: number, call: (context: ConformanceContext) => Call): WrongCall {
  return { description, status, call: (context) => boundCaller(context)(call(context)) };
}

/** A change of the agent, which a key that is bound to it cannot make. */
function change(
  name: Operation["name"],
  status: number,
  call: (context: ConformanceContext) => Call,
  save?: Parameters<typeof authenticatedOperation>[4],
): Operation {
  return authenticatedOperation(name, "tenant", status, call, {
    ...save,
    moreWrongCalls: [boundCall("a key bound to the agent", 403, call)],
  });
}

/** A read of the agent. With a key that is bound to it, another agent is not found. */
function read(suffix: string): Operation {
  const path = `/agents/${OTHER_AGENT}${suffix}`;
  const name = `GET /agents/{agent_id}${suffix.split("?")[0] ?? ""}` as const;
  return authenticatedOperation(name, "tenant", 200, callTo("GET", suffix), {
    moreWrongCalls: [boundCall("another agent, with a bound key", 404, () => ({ method: "GET", path }))],
  });
}

/** Operations on one agent, from its creation to its deletion. */
export const agentOperations: readonly Operation[] = [
  authenticatedOperation(
    "POST /agents",
    "tenant",
    201,
    { method: "POST", path: "/agents", body: { name: "conformance" } },
    { save: (response, { saved }) => saved.set("agent", text(response, "agent_id")) },
  ),
  authenticatedOperation(
    "POST /agents/{agent_id}/keys",
    "tenant",
    200,
    callTo("POST", "/keys", { name: "conformance" }),
    {
      save: (response, { saved }) => {
        saved.set("agent's api_key", text(response, "api_key"));
        saved.set("agent's api_secret", text(response, "api_secret"));
      },
    },
  ),
  authenticatedOperation("GET /agents", "tenant", 200, { method: "GET", path: "/agents" }),
  read(""),
  read("/kya-token?audience=https://shop.example"),
  change("PATCH /agents/{agent_id}", 200, callTo("PATCH", "", { name: "renamed" })),
  change("POST /agents/{agent_id}/suspend", 200, callTo("POST", "/suspend")),
  change("POST /agents/{agent_id}/resume", 200, callTo("POST", "/resume")),
  // The key that is bound to the agent is revoked with it, so it is used before.
  change("POST /agents/{agent_id}/revoke", 200, callTo("POST", "/revoke")),
  ...killSwitchOperations,
  authenticatedOperation("DELETE /agents/{agent_id}", "tenant", 204, callTo("DELETE", ""), {
    moreWrongCalls: [boundCall("a key that was revoked with its agent", 401, callTo("DELETE", ""))],
  }),
];

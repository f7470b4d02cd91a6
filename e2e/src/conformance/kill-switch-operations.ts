import type { ConformanceContext } from "./context.ts";
import { text } from "./context.ts";
import { authenticatedOperation } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

const callTo = (method: "GET" | "POST", suffix: string) => (context: ConformanceContext) =>
  ({ method, path: `/kill-switch/${context.recall("kill switch")}${suffix}` }) as const;

/** A kill switch of the agent of an earlier operation. */
export const killSwitchOperations: readonly Operation[] = [
  authenticatedOperation(
    "POST /kill-switch",
    "tenant",
    200,
    ({ recall }) => ({
      method: "POST",
      path: "/kill-switch",
      body: { scope: "agent", id: recall("agent"), reason: "conformance" },
    }),
    { save: (response, { saved }) => saved.set("kill switch", text(response, "kill_switch_id")) },
  ),
  authenticatedOperation("GET /kill-switch", "tenant", 200, {
    method: "GET",
    path: "/kill-switch",
  }),
  authenticatedOperation("GET /kill-switch/{kill_switch_id}", "tenant", 200, callTo("GET", "")),
  authenticatedOperation("POST /kill-switch/{kill_switch_id}/reconcile", "tenant", 200, callTo("POST", "/reconcile")),
];

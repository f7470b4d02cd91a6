import type { Pair } from "../compare.ts";
import { createProject } from "../developers.ts";
import { fetchJson } from "../fetch-json.ts";
import type { StartServer } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import { createSigner, roundRobin } from "../signer.ts";
import type { Stores } from "../stores.ts";

const PURSER = new URL("../servers/purser.ts", import.meta.url);
const SERVICE = "/api/v1/svc";
const EVALUATE = `${SERVICE}/policies/evaluate`;
const JSON_TYPE = { "content-type": "application/json" };
const CALLERS = 16;
/** A decision may take 1.3 times as long as the read. */
const GOAL = 0.77;

/** The rules of the example in the API reference. */
const RULES = [
  { id: "tx_cap", effect: "deny", operation: "payment", when: { amount_usd: { gt: "25.00" } } },
  { id: "daily_cap", effect: "limit", budget: { max: "50.00", period: "rolling_24h" } },
  {
    id: "velocity",
    effect: "limit",
    operation: "payment",
    count: { max: 20, period: "rolling_1h" },
  },
  { id: "payees", effect: "allow", operation: "payment", when: { payee: { in: ["a.example"] } } },
  { id: "new_payee", effect: "require_approval", when: { payee_first_seen: true } },
  { id: "hours", effect: "deny", when: { plan: { eq: "never" } } },
  { id: "svc", effect: "allow", operation: "service.add" },
];

/**
 * Compares the decision about an agent's operation with the read of a project. The decision reads the agent, its policies
 * and what is used of their limits in one statement.
 */
export async function startDecisionPair(start: StartServer, stores: Stores): Promise<Pair> {
  const config = { ...stores.configFor("decisions"), claimsFile: null };
  const server = await start<PurserReady>(PURSER, config);
  const { origin } = server.ready;
  const signer = createSigner(server.ready);
  const post = async (path: string, content: object) => {
    const body = JSON.stringify(content);
    const headers = { ...signer("POST", path, body), ...JSON_TYPE };
    return fetchJson(origin, path, headers, body);
  };
  const path = await createProject(origin, signer);
  const policy = await post(`${SERVICE}/policies`, { name: "buyer", rules: RULES });
  const agent = { name: "buyer", policy_id: policy["policy_id"] };
  const body = JSON.stringify({
    operation: "payment",
    agent_id: (await post(`${SERVICE}/agents`, agent))["agent_id"],
    facts: { amount_usd: "1.00", payee: "a.example" },
  });
  const shared = { process: server, origin, connections: CALLERS };
  return {
    title: `POST /policies/evaluate for an agent with 7 rules, ${CALLERS} callers ÷ GET /projects/{id}`,
    goal: GOAL,
    candidate: {
      ...{ ...shared, name: "decision" },
      sent: () => {
        const headers = { ...signer("POST", EVALUATE, body), ...JSON_TYPE };
        return { method: "POST", path: EVALUATE, headers, body };
      },
    },
    baseline: { ...shared, name: "read", sent: roundRobin([{ signer, path }]) },
  };
}

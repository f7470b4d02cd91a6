import { randomUUID } from "node:crypto";
import { accountsOf } from "../accounts.ts";
import type { ApiResponse, SignOptions, useHarness } from "../harness.ts";
import { conversionsOf } from "./conversions.ts";

type Harness = ReturnType<typeof useHarness>;

export const ALLOW_RAMPS = ["on_ramp", "off_ramp"].map((operation) => ({ id: operation, effect: "allow", operation }));

/** Tables in which a request could leave something, besides the audit trail and what is kept about each request. */
const TABLES = [
  ...["conversions", "ledger_accounts", "ledger_transfers", "budget_reservations", "policy_decisions"],
  ...["due_work", "events", "outbox_messages"],
];

/** Helpers for conversions by an agent that acts, in test mode. The harness must have the option `vendors`. */
export function actingOf(harness: Harness) {
  const conversions = conversionsOf(harness);
  const { query } = accountsOf(harness);

  /** Creates a tenant as `conversions.seed` does. The wallet's agent has a project, and a policy if there are rules. */
  async function seed({
    funds = "100.00",
    rules = ALLOW_RAMPS,
    approvals,
    project = {},
  }: {
    readonly funds?: string;
    readonly rules?: readonly object[] | null;
    readonly approvals?: object;
    readonly project?: object;
  } = {}) {
    const seeded = await conversions.seed({ funds });
    const { tenant, agentId } = seeded;
    const setRules = async (changed: readonly object[]) => {
      const policy = await tenant.post("/policies", { name: randomUUID(), rules: changed, approvals });
      const { body } = await tenant.patch(`/agents/${agentId}`, { policy_id: policy.body.policy_id });
      return body;
    };
    if (rules !== null) await setRules(rules);
    const created = await tenant.post("/projects", { name: randomUUID(), agent_ids: [agentId], ...project });
    const projectId = String(created.body.project_id);
    const bodies = {
      on_ramp: { source_account_id: seeded.accountId, wallet_id: seeded.walletId, amount: "40.00" },
      off_ramp: { destination_account_id: seeded.accountId, wallet_id: seeded.walletId, amount: "40.00" },
    };
    /** Sends a ramp request as the wallet's agent, by default of 40.00 and with a new Idempotency-Key. */
    const act = (
      direction: keyof typeof bodies,
      more: object = {},
      { headers, ...signing }: SignOptions = {},
    ): Promise<ApiResponse> =>
      tenant.post(
        `/fiat/${direction.replace("_", "-")}`,
        { ...bodies[direction], ...more },
        { ...signing, headers: { "x-agent-id": agentId, "idempotency-key": randomUUID(), ...headers } },
      );
    const spent = async () => (await tenant.get(`/projects/${projectId}`)).body.usage.spent;
    return { ...seeded, projectId, setRules, bodies, act, spent };
  }

  /** Counts what the tenant has stored, and all calls to Bridge. */
  async function footprint(tenantId: string) {
    const counts = TABLES.map((table) => `(select count(*) from ${table} where tenant_id = $1) as ${table}`);
    const [row] = await query(`select ${counts.join()}`, [tenantId]);
    return { ...row, bridge: harness.sandbox.requests("bridge").length };
  }

  return { banks: conversions.banks, conversions, query, seed, footprint };
}

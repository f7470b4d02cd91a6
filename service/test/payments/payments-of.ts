import { randomUUID } from "node:crypto";
import type { NewBudget } from "../../src/budgets/budget.ts";
import type { ProjectId, TenantId } from "../../src/foundation/ids.ts";
import { accountsOf } from "../accounts.ts";
import type { useHarness } from "../harness.ts";
import { seedAgent } from "../services.ts";
import { seedWallet } from "../wallets/seed-wallet.ts";
import { moneyStateOf } from "./money-state.ts";
import { type PaymentSeed, seedPayment, type WalletOfAgent } from "./seed-payment.ts";

export type PaymentAction = "capture" | "void" | "refund" | "cancel";

/** Arranges tenants with two agents, whose wallets have 100 and 20 USDC. */
export function paymentsOf(harness: ReturnType<typeof useHarness>) {
  const { query } = accountsOf(harness);
  let calls = 0;
  /** Another second for each request, because equal requests of one second have the same signature. */
  const nextTimestamp = () => {
    calls += 1;
    return String(Math.floor(harness.clock.now().getTime() / 1_000) + (calls % 56) - 28);
  };

  async function arrange({
    cap,
    tenantId: existing,
  }: {
    readonly cap?: string;
    /** Default: a new tenant. */
    readonly tenantId?: TenantId;
  } = {}) {
    const tenantId = existing ?? (await harness.seedDeveloper());
    const tenant = await harness.seedKey(tenantId, { mode: "test" });
    const newWallet = async (baseUnits: bigint): Promise<WalletOfAgent> => {
      const agentId = await seedAgent(harness.app, { tenantId, mode: "test" });
      return { agentId, ...(await seedWallet(harness.app, { tenantId, agentId, baseUnits })) };
    };
    const payer = await newWallet(100_000_000n);
    const payee = await newWallet(20_000_000n);
    const projectId: ProjectId | undefined =
      cap === undefined
        ? undefined
        : (await tenant.post("/projects", { name: "shop", monthly_cap: cap })).body.project_id;

    const seed = (more: Partial<PaymentSeed> = {}) =>
      seedPayment(harness.app, {
        ...{ tenantId, payer, payee },
        ...(projectId !== undefined && { projectId }),
        ...more,
      });
    const act = (
      action: PaymentAction,
      paymentId: string,
      body: object = {},
      {
        agentId = action === "refund" ? payee.agentId : payer.agentId,
        key = randomUUID(),
        caller = tenant,
        timestamp = nextTimestamp(),
      }: {
        readonly agentId?: string;
        readonly key?: string;
        readonly caller?: Pick<typeof tenant, "post">;
        readonly timestamp?: string;
      } = {},
    ) =>
      caller.post(`/payments/${paymentId}/${action}`, body, {
        timestamp,
        headers: { "idempotency-key": key, "x-agent-id": agentId },
      });
    const freeze = async (walletId: string, mode: "outgoing_only" | "full" = "outgoing_only") => {
      await query("update ledger_accounts set frozen = $2 where subject_id = $1", [walletId, mode]);
      await query(
        `update wallets set status = 'frozen', freeze_mode = $2, freeze_source = 'developer', frozen_at = now()
          where wallet_id = $1`,
        [walletId, mode],
      );
    };
    return {
      ...{ tenant, tenantId, payer, payee, projectId, seed, act, freeze, newWallet },
      state: () => moneyStateOf(harness.app, tenantId, payer.walletId),
      payeeState: () => moneyStateOf(harness.app, tenantId, payee.walletId),
      usage: async () => (await tenant.get(`/projects/${projectId}`)).body.usage,
      set: (paymentId: string, status: string) =>
        query("update payments set status = $2 where payment_id = $1", [paymentId, status]),
      stored: async (paymentId: string) =>
        (await query("select * from payments where payment_id = $1", [paymentId]))[0],
      /** The events about a payment, oldest first. */
      events: (paymentId: string) =>
        query(
          `select type, sequence, data, actor ->> 'type' as actor from events where subject_id = $1 order by xid, event_id`,
          [paymentId],
        ),
      entries: (paymentId: string) =>
        query(
          `select action, facts, actor ->> 'type' as actor from audit_entries where subject ->> 'id' = $1 order by audit_id`,
          [paymentId],
        ),
    };
  }

  return { arrange, query };
}

/** A limit of a policy that counts an agent's dollars of the last 24 hours. */
export const ROLLING_LIMIT: NewBudget = {
  ...{ subjectType: "agent_rule", subjectId: "agent", name: "pol_1:day:amount:rolling_24h" },
  ...{ period: "rolling_24h", limitMicros: null },
};

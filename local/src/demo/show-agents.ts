import { type Backtest, PermissionDeniedError, type PolicyCreateRequest, Purser } from "@purser/sdk";
import type { Environment } from "@purser/service/config/reader.ts";
import { approveByEmail } from "./approve-by-email.ts";
import { linkNeon } from "./link-providers.ts";
import type { DemoContext } from "./run-demo.ts";
import type { Scene } from "./scene.ts";
import { showPayments } from "./show-payments.ts";
import { clientOf, createTestClient } from "./test-client.ts";

const SERVICE = "neon/postgres";

/**
 * Free plans and small payments are allowed, a person decides about the plan `launch` and about larger payments, and
 * everything else is refused.
 */
const RULES: PolicyCreateRequest["rules"] = [
  { id: "free_plans", effect: "allow", operation: "service.add", when: { plan: { eq: "free" } } },
  {
    id: "ask_for_launch",
    effect: "require_approval",
    operation: "service.add",
    when: { plan: { eq: "launch" } },
  },
  {
    id: "small_payments",
    effect: "allow",
    operation: "payment",
    when: { amount_usd: { lte: "10.00" } },
  },
  {
    id: "ask_above_10",
    effect: "require_approval",
    operation: "payment",
    when: { amount_usd: { gt: "10.00" } },
  },
  { id: "at_most_25", effect: "deny", operation: "payment", when: { amount_usd: { gt: "25.00" } } },
];

/**
 * Shows what an agent may do: a refusal, a back-test of a draft policy, a service that a person approves, and payments
 * that are made, refused, approved and stopped by a freeze.
 */
export async function showAgents(context: DemoContext, environment: Environment): Promise<void> {
  const scene = await arrange(context);
  const starterPolicyId = await showRefusals(scene);
  await showDraft(scene, starterPolicyId);
  await switchPolicyOn(scene);
  await showApproval(scene, environment);
  await showPayments(scene, environment);
  await context.steps.do("Verify the audit trail", async () => {
    // By default, a test key cannot read the audit trail.
    const found = await new Purser(context.credentials).audit.verify();
    if (found.valid !== true) throw new Error("The audit trail failed verification.");
    return { result: found, message: `${found.entries_checked} entries, one chain` };
  });
}

async function arrange(context: DemoContext): Promise<Scene> {
  const { credentials, steps } = context;
  const developer = await createTestClient(context);
  const { agent_id: agentId } = await steps.do("Create an agent", async () => {
    const made = await developer.agents.create({ name: "builder" });
    return {
      result: made,
      message: `${made.agent_id}, ${made.status}, know-your-agent level ${made.kya.level}`,
    };
  });
  const key = await steps.do("Create the agent's key pair", async () => {
    const issued = await developer.agents.createKey(agentId, {
      name: "builder",
      scopes: [
        ...(["projects:read", "services:write", "approvals:read"] as const),
        ...(["payments:read", "payments:write"] as const),
      ],
    });
    return { result: issued, message: `${issued.key_prefix}${issued.key_hint}` };
  });
  const { project_id: projectId } = await steps.do("Create the agent's project", async () => {
    const project = { name: "My App", monthly_cap: "50.00", agent_ids: [agentId] };
    const made = await developer.projects.create(project);
    await developer.projects.billing.attachPaymentMethod(made.project_id, {
      payment_method_id: "pm_card_visa",
    });
    return { result: made, message: `${made.project_id}, with a card` };
  });
  await linkNeon(developer, projectId, steps);
  const agent = clientOf(credentials.baseUrl, key);
  return { ...context, developer, agent, agentId, projectId };
}

/** Returns the id of the starter policy, which refuses all services. */
async function showRefusals(scene: Scene): Promise<string> {
  const { steps } = scene;
  const first = await steps.do("The agent asks for a database", async () => {
    const refusal = await refusalOf(scene, "launch");
    const { status, code, decision } = refusal;
    return { result: refusal, message: `${status} ${code}:\n     ${JSON.stringify(decision)}` };
  });
  await steps.do("It asks for two other plans", async () => {
    const refusals = [await refusalOf(scene, "free"), await refusalOf(scene, "scale")];
    const codes = refusals.map(({ status, code }) => `${status} ${code}`);
    return { result: refusals, message: codes.join(", ") };
  });
  const { decision } = first;
  if (decision !== undefined && "policy_id" in decision) return decision.policy_id ?? "";
  throw new Error("The refusal does not name a policy.");
}

async function refusalOf({ agent, projectId }: Scene, plan: string): Promise<PermissionDeniedError> {
  try {
    await agent.projects.services.add(projectId, { service: SERVICE, plan });
  } catch (error) {
    if (error instanceof PermissionDeniedError) return error;
    throw error;
  }
  throw new Error("The starter policy did not refuse the service.");
}

async function showDraft({ developer, agentId, steps }: Scene, policyId: string): Promise<void> {
  await steps.do("Back-test a draft policy", async () => {
    const backtest = await developer.policies.backtest(policyId, {
      agent_id: agentId,
      rules: RULES,
    });
    return { result: backtest, message: describeBacktest(backtest) };
  });
  await steps.do("Evaluate the draft", async () => {
    const evaluation = await developer.policies.evaluate({
      operation: "service.add",
      agent_id: agentId,
      policy: { rules: RULES },
      facts: { provider: "neon", service: SERVICE, plan: "launch", monthly_cost_usd: "5.00" },
    });
    return {
      result: evaluation,
      message: `plan launch: ${evaluation.outcome} by the rule ${evaluation.rule_id}`,
    };
  });
}

function describeBacktest({ decisions, totals, by_rule }: Backtest): string {
  const { allowed, asked, refused } = totals;
  const rules = by_rule.map((rule) => `${rule.rule_id} ${rule.amount_usd} USD`).join(", ");
  return `${decisions} requests: ${allowed} allowed, ${asked} asked, ${refused} refused (${rules})`;
}

async function switchPolicyOn({ developer, agentId, steps }: Scene): Promise<void> {
  const policy = await steps.do("Create the policy", async () => {
    const made = await developer.policies.create({ name: "databases", rules: RULES });
    return { result: made, message: `${made.policy_id}, version ${made.version}` };
  });
  await steps.do("Give it to the agent", async () => {
    const agent = await developer.agents.update(agentId, { policy_id: policy.policy_id });
    return { result: agent, message: `the agent's policy is ${agent.policy_id}` };
  });
}

async function showApproval(scene: Scene, environment: Environment): Promise<void> {
  const { agent, projectId, steps } = scene;
  const { services, operations } = agent.projects;
  const added = await steps.do("It asks for the database again", async () => {
    const answer = await services.add(projectId, { service: SERVICE, plan: "launch" });
    const { service, operation, approval } = answer;
    if (approval === null) throw new Error("The new policy did not ask for an approval.");
    return {
      result: { service, operation, approval },
      message: `202 ${operation.status}, ${approval.approval_id} is ${approval.status}`,
    };
  });
  await approveByEmail(scene, environment, { subject: "Approval requested: Add" });
  await steps.do("It waits for the decision", async () => {
    const approval = await agent.approvals.waitFor(added.approval.approval_id);
    const by = approval.votes.map(({ via }) => via).join();
    return { result: approval, message: `${approval.status} by ${by}` };
  });
  await steps.do("It waits for the database", async () => {
    await operations.waitFor(added.operation);
    const service = await services.get(projectId, added.service.service_id);
    return { result: service, message: `${service.name} is ${service.status}` };
  });
}

import { type Static, Type } from "typebox";
import { invalidField } from "../../../foundation/errors.ts";
import { parseUsdMicros } from "../../../foundation/money.ts";
import { KYA_LEVELS, POLICY_OPERATIONS } from "../../../foundation/vocabulary.ts";
import { DecimalIn, PRINTABLE_TEXT, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import { BacktestResource, backtestPolicy, presentBacktest } from "../../../modules/decisions/backtest-policy.ts";
import { type EvaluatedPolicies, evaluateOperation } from "../../../modules/decisions/decisions.ts";
import { PolicyEvaluationResource, presentEvaluation } from "../../../modules/policies/evaluation-resource.ts";
import type { PolicyFacts } from "../../../modules/policies/rules/facts.ts";
import { canonicalText, parseNewPolicy } from "../../../modules/policies/rules/parse-rules.ts";
import { PolicyApprovals, PolicyRules } from "../../../modules/policies/rules/rule-schema.ts";
import { scopeOf } from "../../auth/principal.ts";
import { policyKeyOf } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { AgentId, ProjectId, WalletId } from "./policy-fields.ts";

const FactText = Type.Optional(Type.String({ minLength: 1, maxLength: 100, ...PRINTABLE_TEXT }));
const Amount = Type.Optional(DecimalIn);

const Facts = Type.Object(
  {
    amount_usd: Amount,
    monthly_cost_usd: Amount,
    payee: Type.Optional(Type.String({ minLength: 1, maxLength: 500, ...PRINTABLE_TEXT })),
    network: FactText,
    token: FactText,
    provider: FactText,
    service: FactText,
    category: FactText,
    plan: FactText,
    kya_level: Type.Optional(Type.Enum([...KYA_LEVELS])),
    payee_first_seen: Type.Optional(Type.Boolean()),
    time_utc: Type.Optional(
      Type.String({
        pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
        maxLength: 5,
        description: "The time of the day in UTC, `HH:MM`. Default: the current time.",
        examples: ["12:00"],
      }),
    ),
  },
  {
    $id: "PolicyFacts",
    additionalProperties: false,
    description: "What is known about the operation. A rule about an unknown fact does not match.",
  },
);

const PolicyEvaluateRequest = StrictObject("PolicyEvaluateRequest", {
  operation: Type.Enum([...POLICY_OPERATIONS]),
  agent_id: Type.Optional(AgentId),
  wallet_id: Type.Optional(WalletId),
  project_id: Type.Optional(ProjectId),
  policy_id: Type.Optional(Text("Evaluates only this policy.", { maxLength: 100 })),
  policy: Type.Optional(
    Type.Object(
      { rules: PolicyRules, approvals: Type.Optional(PolicyApprovals) },
      {
        additionalProperties: false,
        description: "Evaluates only this draft, which is not stored. Cannot be combined with `policy_id`.",
      },
    ),
  ),
  facts: Type.Optional(Facts),
});
type PolicyEvaluateRequest = Static<typeof PolicyEvaluateRequest>;

const evaluatePoliciesRoute = endpoint("POST /api/v1/svc/policies/evaluate", {
  operationId: "evaluatePolicies",
  sdk: "policies.evaluate",
  summary: "Evaluate policies",
  description:
    "Returns what policies decide about an operation, and why, without doing it. Evaluates the policies that apply to the agent, the wallet and the project, or only `policy_id`, or only the draft `policy`. Changes nothing.",
  auth: "tenant",
  scope: "policies:read",
  replayGuard: "strict",
  body: PolicyEvaluateRequest,
  answers: { 200: PolicyEvaluationResource },
  example: {
    operation: "payment",
    agent_id: "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10",
    facts: { amount_usd: "12.50" },
  },
  run: async (app, request) => {
    const { body } = request;
    const owner = scopeOf(request);
    const facts = factsOf(body, app.clock.now());
    const command = { owner, policies: policiesOf(body), facts };
    return presentEvaluation(await evaluateOperation(app, command));
  },
});

function policiesOf(body: PolicyEvaluateRequest): EvaluatedPolicies {
  const { policy, policy_id: policyId } = body;
  if (policy !== undefined) {
    if (policyId === undefined) return { kind: "draft", rules: parseNewPolicy(policy, "/body/policy") };
    throw invalidField("/body/policy", "not_allowed", "cannot be combined with policy_id");
  }
  if (policyId !== undefined) return { kind: "stored", policyId };
  const { agent_id: agentId, wallet_id: walletId = null, project_id: projectId = null } = body;
  return { kind: "applicable", agentId: agentId?.toLowerCase() ?? null, walletId, projectId };
}

function factsOf({ operation, facts = {} }: PolicyEvaluateRequest, now: Date): PolicyFacts {
  const { amount_usd, monthly_cost_usd, kya_level, payee_first_seen, time_utc, ...texts } = facts;
  // As in rules, so that the answer is about the operation that the caller means.
  const canonical = Object.entries(texts).map(([fact, text]) => [
    fact,
    canonicalText(fact as keyof typeof texts, text),
  ]);
  return {
    ...Object.fromEntries(canonical),
    operation,
    at: time_utc === undefined ? now : new Date(`${now.toISOString().slice(0, 10)}T${time_utc}Z`),
    amount_usd: amount_usd === undefined ? undefined : parseUsdMicros(amount_usd),
    monthly_cost_usd: monthly_cost_usd === undefined ? undefined : parseUsdMicros(monthly_cost_usd),
    kya_level,
    payee_first_seen,
  };
}

const PolicyBacktestRequest = StrictObject("PolicyBacktestRequest", {
  agent_id: AgentId,
  rules: Type.Optional({
    ...PolicyRules,
    description: "The rules to test. Default: the policy's current rules.",
  }),
  approvals: Type.Optional(PolicyApprovals),
});

const backtestPolicyRoute = endpoint("POST /api/v1/svc/policies/:policy_id/backtest", {
  operationId: "backtestPolicy",
  sdk: "policies.backtest",
  summary: "Back-test a policy",
  description:
    "Replays what the agent asked to do in the last 30 days with this policy, or with the draft `rules` and `approvals`, and returns what would have been refused or needed an approval. Changes nothing. Limits start empty, and count only operations that were allowed and that the rules allow too. Fails with `conflict` while another back-test of the account and mode runs.",
  auth: "tenant",
  scope: "policies:read",
  replayGuard: "strict",
  body: PolicyBacktestRequest,
  answers: { 200: BacktestResource },
  errors: ["conflict"],
  example: { agent_id: "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10" },
  run: async (app, request) => {
    const { agent_id, rules, approvals } = request.body;
    const draft = parseNewPolicy({ rules: rules ?? [], approvals }).stored;
    const backtest = await backtestPolicy(app, {
      key: policyKeyOf(request, request.params.policy_id),
      agentId: agent_id.toLowerCase(),
      rules: rules && draft.rules,
      approvals: approvals && draft.approvals,
    });
    return presentBacktest(backtest);
  },
});

export const policyEvaluationRoutes: readonly Route[] = [evaluatePoliciesRoute, backtestPolicyRoute];

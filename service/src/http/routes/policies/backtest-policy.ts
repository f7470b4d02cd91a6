import { Type } from "typebox";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { BacktestResource, backtestPolicy, presentBacktest } from "../../../modules/decisions/backtest-policy.ts";
import { parseNewPolicy } from "../../../modules/policies/rules/parse-rules.ts";
import { PolicyApprovals, PolicyRules } from "../../../modules/policies/rules/rule-schema.ts";
import { policyKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { AgentId } from "./policy-fields.ts";

const PolicyBacktestRequest = StrictObject("PolicyBacktestRequest", {
  agent_id: AgentId,
  rules: Type.Optional({
    ...PolicyRules,
    description: "The rules to test. Default: the policy's current rules.",
  }),
  approvals: Type.Optional(PolicyApprovals),
});

export const backtestPolicyRoute = endpoint("POST /api/v1/svc/policies/:policy_id/backtest", {
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

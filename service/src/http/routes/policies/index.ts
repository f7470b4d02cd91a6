import { type Route, withTag } from "../../route.ts";
import { backtestPolicyRoute } from "./backtest-policy.ts";
import { createPolicyRoute } from "./create-policy.ts";
import { deletePolicyRoute } from "./delete-policy.ts";
import { evaluatePoliciesRoute } from "./evaluate-policies.ts";
import { getPolicyRoute, listPoliciesRoute } from "./read-policies.ts";
import { rollBackPolicyRoute } from "./roll-back-policy.ts";
import { updatePolicyRoute } from "./update-policy.ts";

export const policyRoutes: readonly Route[] = withTag("Policies", [
  createPolicyRoute,
  listPoliciesRoute,
  getPolicyRoute,
  updatePolicyRoute,
  deletePolicyRoute,
  rollBackPolicyRoute,
  evaluatePoliciesRoute,
  backtestPolicyRoute,
]);

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { QUOTAS, type Quota } from "./quotas.ts";

const at = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** The test of each quota: its file in `service/src`, and a part of its name. */
const TESTS: Readonly<Record<keyof typeof QUOTAS, readonly [file: string, title: string]>> = {
  agents: ["http/routes/agents/create-agent.test.ts", "409: concurrent calls exceed the limit"],
  policies: ["http/routes/policies/create-policy.test.ts", "exceed 200 policies of the mode"],
  policyRules: ["modules/policies/rules/parse-rules.test.ts", '"201 rules"'],
  policyValues: ["modules/policies/rules/parse-rules.test.ts", '"1,001 values in several lists"'],
  policyBytes: ["modules/policies/rules/parse-rules.test.ts", '"more than 64 KiB"'],
  pendingApprovals: ["modules/approvals/request-approval.test.ts", "the agent has 100 pending approvals"],
  openAuthorizations: [
    "http/routes/payments/authorization-quota.test.ts",
    "409: the wallet has 1,000 open authorizations",
  ],
  runningOperations: ["http/routes/projects/services/operation-quota.test.ts", "409: 100 operations run"],
  killSwitches: [
    "http/routes/kill-switches/trigger-kill-switch.test.ts",
    "409: an eleventh kill switch with the same key within the hour",
  ],
  backtests: ["http/routes/policies/backtest-policy.test.ts", "409: another back-test"],
  backtestDecisions: ["http/routes/policies/backtest-policy.test.ts", "at most the oldest 100,000 decisions"],
  fiatAccounts: ["http/routes/fiat/link-bank.test.ts", "409: 20 bank accounts are the most"],
  fiatLinks: ["http/routes/fiat/link-bank.test.ts", "the oldest of more than ten open links is dropped"],
  openConversions: ["http/routes/fiat/convert.test.ts", "409: the wallet has 100 conversions that are not final"],
  chainUnfreezes: ["workflows/operator-transactions/freeze-on-chain.test.ts", "409: after 20 unfreezes in an hour"],
  quotes: ["http/routes/fiat/convert.test.ts", "409: more than 1,000 quotes in an hour"],
  envComparisons: ["http/routes/projects/compare-env.test.ts", "429: after 20 calls within a minute"],
  costlyReads: ["http/routes/developers/request-log/list-requests.test.ts", "429: more than 120 calls within a minute"],
  webhooks: ["http/routes/webhooks/webhooks.test.ts", "409: more than 100 webhooks"],
  webhookTests: ["http/routes/webhooks/webhooks.test.ts", "429: more than 10 test events within a minute"],
  eventStreams: ["http/routes/events/events.test.ts", "429: more than 20 streams of an account"],
  signupClaims: ["http/routes/developers/sign-up.test.ts", "after several signups for an unverified address"],
  signups: ["http/routes/developers/sign-up.test.ts", "429: the hourly limit of an %s, before"],
  networkSignups: ["http/routes/developers/sign-up.test.ts", "is ten times that of an address"],
  bodyValues: ["foundation/strict-json.test.ts", "too_many_values"],
  listValues: ["foundation/strict-json.test.ts", "too_many_entries"],
};

const quotas = Object.entries<Quota>(QUOTAS);

describe("quotas", () => {
  it("docs/rules/rate-limits.md has the table of the code", () => {
    const table = quotas.map(
      ([, { max, counts, per, beyond }]) => `| ${max.toLocaleString("en-US")} ${counts} | ${per} | ${beyond} |`,
    );
    const head = ["| At most | Per | Beyond |", "|---|---|---|"];
    expect(at("../../../../docs/rules/rate-limits.md")).toContain(`\n\n${[...head, ...table].join("\n")}\n\n`);
  });

  it.each(Object.entries(TESTS))("%s: has a test", (_name, [file, title]) => {
    expect(at(`../../${file}`)).toContain(title);
  });
});

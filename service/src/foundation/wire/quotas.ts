/** How many of something there can be at once, or in a period. */
export interface Quota {
  readonly max: number;
  readonly counts: string;
  readonly per: string;
  /** What the request gets that would exceed the maximum. */
  readonly beyond: string;
}

const MODE = "account and mode";

/** The quotas of the API. `docs/rules/rate-limits.md` has the same table. */
export const QUOTAS = {
  agents: { max: 1_000, counts: "agents", per: MODE, beyond: "409" },
  policies: { max: 200, counts: "policies", per: MODE, beyond: "409" },
  policyRules: { max: 200, counts: "rules", per: "policy", beyond: "422" },
  policyValues: { max: 1_000, counts: "list elements", per: "policy", beyond: "422" },
  policyBytes: { max: 65_536, counts: "bytes", per: "policy", beyond: "422" },
  pendingApprovals: { max: 100, counts: "pending approvals", per: "agent", beyond: "409" },
  openAuthorizations: { max: 1_000, counts: "open authorizations", per: "wallet", beyond: "409" },
  runningOperations: { max: 100, counts: "running operations", per: MODE, beyond: "409" },
  killSwitches: { max: 10, counts: "kill switches an hour", per: "API key", beyond: "409" },
  backtests: { max: 1, counts: "running back-tests", per: MODE, beyond: "409" },
  backtestDecisions: {
    ...{ max: 100_000, counts: "decisions", per: "back-test", beyond: "`truncated: true`" },
  },
  fiatAccounts: { max: 20, counts: "bank accounts", per: MODE, beyond: "409" },
  fiatLinks: { max: 10, counts: "open bank links", per: MODE, beyond: "the oldest is dropped" },
  openConversions: { max: 100, counts: "conversions that are not final", per: "wallet", beyond: "409" },
  chainUnfreezes: { max: 20, counts: "unfreezes on chains an hour", per: "account", beyond: "409" },
  quotes: { max: 1_000, counts: "quotes an hour", per: MODE, beyond: "409" },
  envComparisons: { max: 20, counts: "comparisons with environments a minute", per: "account", beyond: "429" },
  costlyReads: {
    ...{
      max: 120,
      counts:
        "reads a minute of the overview, of agents' budgets and of the request log each; keys that are bound to agents have their own 120 for budgets",
    },
    ...{ per: "account", beyond: "429" },
  },
  webhooks: { max: 100, counts: "webhooks", per: MODE, beyond: "409" },
  webhookTests: { max: 10, counts: "test events a minute", per: "account", beyond: "429" },
  eventStreams: { max: 20, counts: "event streams in a process", per: "account", beyond: "429" },
  signupClaims: {
    ...{ max: 3, counts: "unverified signups", per: "address", beyond: "the oldest is dropped" },
  },
  signups: { max: 20, counts: "signups an hour", per: "IPv4 address or IPv6 /64", beyond: "429" },
  networkSignups: {
    ...{ max: 200, counts: "signups an hour", per: "IPv4 /24 or IPv6 /48", beyond: "429" },
  },
  bodyValues: { max: 10_000, counts: "values", per: "JSON body", beyond: "422" },
  listValues: { max: 1_000, counts: "values", per: "JSON array or object", beyond: "422" },
} as const satisfies Readonly<Record<string, Quota>>;

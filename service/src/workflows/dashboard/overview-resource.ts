import { type Static, type TSchema, Type } from "typebox";
import { EVM_NETWORKS } from "../../foundation/blockchain-networks.ts";
import { formatTokenAmount, formatUsdMicros, usdMicros } from "../../foundation/money.ts";
import { PAYMENT_STATUSES } from "../../foundation/vocabulary.ts";
import {
  Count,
  DecimalOut,
  Flag,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { ProjectStatusName, REMAINING, RESERVED, SPENT } from "../../modules/projects/project-resource.ts";
import { remainingMicros } from "../../modules/projects/usage.ts";
import { TokenName, tokenNameOf } from "../../modules/wallets/balances/present-balances.ts";
import { presentFreeze, WalletFreeze } from "../../modules/wallets/wallet-resource.ts";
import type { ProjectSpending } from "./queries.ts";
import { LISTED_MAX, type Overview, PAYMENTS_DAYS, PAYMENTS_MAX, PROJECTS_MAX } from "./read-overview.ts";

const ProjectSpend = NamedObject("ProjectSpend", {
  project_id: Type.String(),
  name: Type.String(),
  monthly_cap: DecimalOut,
  spent: { ...DecimalOut, description: SPENT },
  reserved: { ...DecimalOut, description: RESERVED },
  remaining: { ...DecimalOut, description: REMAINING },
});

const BalanceTotal = NamedObject("BalanceTotal", {
  network: Type.Enum([...EVM_NETWORKS]),
  token: TokenName,
  wallet_count: Type.Integer(),
  total: { ...DecimalOut, description: "The sum of the wallets' balances in the ledger." },
  available: { ...DecimalOut, description: "What the wallets can pay: `total` minus `held`." },
  held: { ...DecimalOut, description: "What is held for payments that are not settled." },
});

/** Defines a list of up to ten items, and whether there are more. */
const listOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Object(
    {
      data: Type.Array(item),
      more: Flag(`Whether there are more than ${LISTED_MAX}.`),
    },
    { description },
  );

const WaitingApproval = NamedObject("WaitingApproval", {
  approval_id: Type.String(),
  title: Text("What happens after the approval, in one line."),
  amount: Nullable(DecimalOut, "The amount that is spent. Null if nothing is spent."),
  currency: Nullable(Type.String(), "Currency or token of the amount. Null if `amount` is null."),
  expires_at: Timestamp,
});

const BrokenLink = NamedObject("BrokenLink", {
  link_id: Type.String(),
  project_id: Type.String(),
  project_name: Type.String(),
  provider: Type.String(),
  status: Type.Enum(["failed", "expired"]),
});

const FrozenWallet = NamedObject("FrozenWallet", {
  wallet_id: Type.String(),
  agent_id: Type.String({ format: "uuid" }),
  agent_name: Type.String(),
  network: Type.Enum([...EVM_NETWORKS]),
  freeze: WalletFreeze,
});

const EndingKey = NamedObject("EndingKey", {
  key_id: Type.String(),
  name: Type.String(),
  reason: OneOf(["expires", "grace_ends"], "`grace_ends`: the key was rotated, and its grace period ends."),
  ends_at: Timestamp,
});

const BlockedProject = NamedObject("BlockedProject", {
  project_id: Type.String(),
  name: Type.String(),
  status: ProjectStatusName,
  cap_reached: Flag("Whether the monthly cap is spent or reserved."),
});

const UnpaidProject = NamedObject("UnpaidProject", {
  project_id: Type.String(),
  name: Type.String(),
  billing_status: OneOf(["requires_payment_method", "requires_action", "past_due"], "The project's `billing.status`."),
});

const Spend = NamedObject("DashboardSpend", {
  currency: Type.Enum(["usd"]),
  period_start: { ...Timestamp, description: "Start of the current calendar month (UTC)." },
  period_end: { ...Timestamp, description: "Start of the next calendar month (UTC)." },
  monthly_cap: { ...DecimalOut, description: "The sum of the projects' caps." },
  spent: { ...DecimalOut, description: "What all projects have spent." },
  reserved: { ...DecimalOut, description: "What is reserved for all projects." },
  projects: ListOf(ProjectSpend, `Up to ${PROJECTS_MAX} projects, those that have spent and reserved the most first.`),
  more: Flag(`Whether there are more than ${PROJECTS_MAX} projects.`),
});

const PaymentCounts = NamedObject("PaymentCounts", {
  window_days: Count("How many days back payments are counted."),
  counted: Count(`How many payments were counted: the newest ${PAYMENTS_MAX} at most.`),
  is_complete: Flag("Whether these are all payments of the window."),
  by_status: Type.Record(Type.String(), Type.Integer(), {
    description: `The number of these payments for each status that one of them has: ${PAYMENT_STATUSES.map((status) => `\`${status}\``).join(", ")}.`,
  }),
  paid: { ...DecimalOut, description: "What the payees of these payments were paid, in USDC." },
  by_day: ListOf(
    NamedObject("PaymentDay", {
      date: Text("The day (UTC) on which the payments were made.", { format: "date" }),
      count: Type.Integer(),
      paid: { ...DecimalOut, description: "What their payees were paid, in USDC." },
    }),
    "These payments by day, the first day first. Days without payments are left out.",
  ),
});

const Checklist = NamedObject("Checklist", {
  email_verified: Type.Boolean(),
  has_key: Flag("Whether there is an API key that can be used."),
  has_project: Type.Boolean(),
  has_linked_provider: Type.Boolean(),
  has_service: Flag("Whether there is a service that was neither removed nor failed."),
  has_agent: Type.Boolean(),
  has_wallet: Type.Boolean(),
  has_payment: Type.Boolean(),
});

export const OverviewResource = NamedObject("DashboardOverview", {
  object: Type.Literal("dashboard_overview"),
  mode: ModeName,
  as_of: Timestamp,
  spend: Spend,
  balances: Type.Object({
    as_of: { ...Timestamp, description: "When the ledger was read." },
    data: ListOf(BalanceTotal, "One item for each network and token."),
  }),
  payments: PaymentCounts,
  attention: NamedObject("Attention", {
    approvals: listOf(WaitingApproval, "Pending approvals, those that expire first come first."),
    links: listOf(BrokenLink, "Links that failed or expired and were not replaced, newest first."),
    frozen_wallets: listOf(FrozenWallet, "Frozen wallets, the last frozen first."),
    keys: listOf(EndingKey, "API keys that end within seven days, those that end first come first."),
    projects: listOf(BlockedProject, "Projects that are suspended, could not be deleted, or have reached their cap."),
    billing: listOf(UnpaidProject, "Projects whose services cannot be paid."),
  }),
  checklist: Checklist,
});

export function presentOverview(overview: Overview): Static<typeof OverviewResource> {
  const { now, mode, balances, payments } = overview;
  const at = now.toISOString();
  return {
    ...{ object: "dashboard_overview", mode, as_of: at },
    spend: presentSpend(overview),
    balances: { as_of: at, data: balances.map(presentBalance) },
    payments: presentPayments(payments),
    attention: presentAttention(overview),
    checklist: toWire(Checklist, overview),
  };
}

function presentPayments({ counts, isComplete }: Overview["payments"]): Static<typeof PaymentCounts> {
  const countOf = (some: typeof counts) => some.reduce((sum, { count }) => sum + count, 0);
  const paidOf = (some: typeof counts) =>
    formatTokenAmount({ asset: "usdc", baseUnits: some.reduce((sum, { paidBaseUnits }) => sum + paidBaseUnits, 0n) });
  const days = [...Map.groupBy(counts, ({ date }) => date)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...{ window_days: PAYMENTS_DAYS, counted: countOf(counts), is_complete: isComplete },
    by_status: Object.fromEntries(
      [...Map.groupBy(counts, ({ status }) => status)].map(([status, some]) => [status, countOf(some)]),
    ),
    paid: paidOf(counts),
    by_day: days.map(([date, some]) => ({ date, count: countOf(some), paid: paidOf(some) })),
  };
}

function presentSpend({ projects, period }: Overview): Static<typeof Spend> {
  const [any] = projects;
  const sum = (micros: bigint | undefined) => formatUsdMicros(usdMicros(micros ?? 0n));
  return {
    currency: "usd",
    period_start: period.start.toISOString(),
    period_end: period.end.toISOString(),
    monthly_cap: sum(any?.capSumMicros),
    spent: sum(any?.spentSumMicros),
    reserved: sum(any?.heldSumMicros),
    projects: projects
      .filter(({ place }) => place <= PROJECTS_MAX)
      .map((project) => presentProjectSpend(project, period)),
    more: projects.some(({ place }) => place > PROJECTS_MAX),
  };
}

function presentProjectSpend(project: ProjectSpending, period: Overview["period"]): Static<typeof ProjectSpend> {
  const { capMicros, spentMicros, heldMicros } = project;
  return toWire(ProjectSpend, project, {
    monthly_cap: formatUsdMicros(capMicros),
    spent: formatUsdMicros(spentMicros),
    reserved: formatUsdMicros(heldMicros),
    remaining: formatUsdMicros(remainingMicros(capMicros, { period, spentMicros, reservedMicros: heldMicros })),
  });
}

function presentBalance(sum: Overview["balances"][number]): Static<typeof BalanceTotal> {
  const { asset, posted, held } = sum;
  const format = (baseUnits: bigint) => formatTokenAmount({ asset, baseUnits });
  return toWire(BalanceTotal, sum, {
    token: tokenNameOf(asset),
    total: format(posted),
    available: format(posted - held),
    held: format(held),
  });
}

function presentAttention({
  approvals,
  links,
  frozenWallets,
  keys,
  projects,
}: Overview): Static<typeof OverviewResource>["attention"] {
  return {
    approvals: firstOf(approvals, (approval) =>
      toWire(WaitingApproval, approval, { expires_at: new Date(approval.expiresAt).toISOString() }),
    ),
    links: firstOf(links, (link) => toWire(BrokenLink, link)),
    frozen_wallets: firstOf(frozenWallets, (wallet) => toWire(FrozenWallet, wallet, { freeze: presentFreeze(wallet) })),
    keys: firstOf(keys, (key) => toWire(EndingKey, key, { ends_at: new Date(key.endsAt).toISOString() })),
    projects: firstOf(
      projects.filter(({ isBlocked }) => isBlocked),
      (project) => toWire(BlockedProject, project, { cap_reached: project.isCapReached }),
    ),
    billing: firstOf(projects.flatMap(unpaidProject), (project) => project),
  };
}

function unpaidProject({ projectId, name, billingStatus }: ProjectSpending): Static<typeof UnpaidProject>[] {
  if (billingStatus === null || billingStatus === "ready") return [];
  return [{ project_id: projectId, name, billing_status: billingStatus }];
}

/** Returns the first ten items, and whether there are more. */
function firstOf<Item, Out>(items: readonly Item[], present: (item: Item) => Out) {
  return { data: items.slice(0, LISTED_MAX).map(present), more: items.length > LISTED_MAX };
}

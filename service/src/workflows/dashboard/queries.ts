import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Row } from "../../db/schema.ts";
import { rowsWhere, sameColumns } from "../../db/where.ts";
import type { BlockchainNetwork } from "../../foundation/blockchain-networks.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { Asset, UsdMicros } from "../../foundation/money.ts";
import type { LinkStatus, Mode, PaymentStatus } from "../../foundation/vocabulary.ts";
import { PROJECT_CAP } from "../../modules/projects/caps.ts";

/** Whose overview it is. */
export interface Owner {
  readonly tenantId: TenantId;
  readonly mode: Mode;
}

type Project = Row<"projects">;

export interface ProjectSpending extends Pick<Project, "projectId" | "name" | "status"> {
  readonly capMicros: UsdMicros;
  readonly spentMicros: UsdMicros;
  readonly heldMicros: UsdMicros;
  /** Null if the project has no customer at the payment processor. */
  readonly billingStatus: Row<"projectBilling">["status"] | null;
  readonly isCapReached: boolean;
  /** Whether the project is suspended, could not be deleted, or has reached its cap. */
  readonly isBlocked: boolean;
  /** Whether the project has no payment method that can be charged, though it needs one. */
  readonly isUnpaid: boolean;
  /** The place among all projects, those that have used the most first. */
  readonly place: number;
  /** The place among the projects that are as blocked, and among those that are as unpaid. */
  readonly blockedPlace: number;
  readonly unpaidPlace: number;
  /** The sums over all projects. */
  readonly capSumMicros: UsdMicros;
  readonly spentSumMicros: UsdMicros;
  readonly heldSumMicros: UsdMicros;
}

/**
 * Returns the projects that have used the most of their caps in the month, and those that need a person, with the sums over
 * all projects.
 */
export async function listSpending(
  tx: Tx,
  { tenantId, mode }: Owner,
  {
    monthStart,
    projectsMax,
    listedMax,
  }: { readonly monthStart: Date; readonly projectsMax: number; readonly listedMax: number },
): Promise<readonly ProjectSpending[]> {
  const { rows } = await sql<ProjectSpending>`
    with spending as (
      select project.project_id, project.name, project.status, project.monthly_cap_cents * 10000 as cap_micros,
        coalesce(usage.spent_micros, 0) as spent_micros, coalesce(usage.held_micros, 0) as held_micros,
        billing.status as billing_status
      from projects as project
      left join budget_periods as usage on usage.tenant_id = project.tenant_id
        and usage.budget_id = ${PROJECT_CAP}::text || ':' || project.project_id and usage.period_start = ${monthStart}
      left join project_billing as billing
        on billing.tenant_id = project.tenant_id and billing.project_id = project.project_id
      where project.tenant_id = ${tenantId} and project.mode = ${mode} and project.deleted_at is null
    ), used as (
      select *, spent_micros + held_micros as used_micros,
        spent_micros + held_micros > 0 and spent_micros + held_micros >= cap_micros as is_cap_reached,
        coalesce(billing_status <> 'ready', false) as is_unpaid
      from spending
    ), judged as (
      select *, is_cap_reached or status in ('suspended', 'delete_failed') as is_blocked from used
    ), placed as (
      select *, (row_number() over (order by used_micros desc, project_id))::integer as place,
        (row_number() over (partition by is_blocked order by used_micros desc, project_id))::integer as blocked_place,
        (row_number() over (partition by is_unpaid order by used_micros desc, project_id))::integer as unpaid_place,
        sum(cap_micros) over () as cap_sum_micros, sum(spent_micros) over () as spent_sum_micros,
        sum(held_micros) over () as held_sum_micros
      from judged
    )
    select * from placed
    where place <= ${projectsMax} or is_blocked and blocked_place <= ${listedMax}
      or is_unpaid and unpaid_place <= ${listedMax}
    order by place`.execute(tx);
  return rows;
}

export interface BalanceSum {
  readonly network: BlockchainNetwork;
  readonly asset: Asset;
  readonly walletCount: number;
  readonly posted: bigint;
  readonly held: bigint;
}

/** Returns the sum of the balances in the ledger for each network and token. */
export async function sumBalances(tx: Tx, { tenantId, mode }: Owner): Promise<readonly BalanceSum[]> {
  const { rows } = await sql<BalanceSum>`
    select wallet.network, account.asset, count(*)::integer as wallet_count, sum(account.posted) as posted,
      sum(account.held) as held
    from wallets as wallet
    join ledger_accounts as account on account.subject_id = wallet.wallet_id and account.tenant_id = wallet.tenant_id
      and account.mode = wallet.mode and account.subject_type = 'wallet' and account.kind = 'wallet'
    where wallet.tenant_id = ${tenantId} and wallet.mode = ${mode}
    group by wallet.network, account.asset
    order by wallet.network, account.asset`.execute(tx);
  return rows;
}

interface PaymentCount {
  readonly status: PaymentStatus;
  /** The day of their creation (UTC), as `2026-11-30`. */
  readonly date: string;
  readonly count: number;
  /** What their payees were paid. */
  readonly paidBaseUnits: bigint;
}

/**
 * Counts the newest payments since a time by status and day, at most `countedMax`. Reads an index only as far, so it takes as
 * long however many payments there are. `isComplete` is false if there are more.
 */
export async function countPayments(
  tx: Tx,
  { tenantId, mode }: Owner,
  { since, countedMax }: { readonly since: Date; readonly countedMax: number },
): Promise<{ readonly counts: readonly PaymentCount[]; readonly isComplete: boolean }> {
  const { rows } = await sql<PaymentCount & { readonly more: number }>`
    select status, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as date,
      (count(*) filter (where place <= ${countedMax}))::integer as count,
      (count(*) filter (where place > ${countedMax}))::integer as more,
      coalesce(sum(paid_base_units) filter (where place <= ${countedMax}), 0) as paid_base_units
    from (
      select status, created_at, paid_base_units, row_number() over (order by created_at desc, payment_id desc) as place
      from payments where tenant_id = ${tenantId} and mode = ${mode} and created_at > ${since}
      order by created_at desc, payment_id desc limit ${countedMax + 1}
    ) as newest
    group by 1, 2 order by 1, 2`.execute(tx);
  return { counts: rows.filter(({ count }) => count > 0), isComplete: rows.every(({ more }) => more === 0) };
}

/** Returns the wallets that were frozen last, with the names of their agents. */
export async function listFrozenWallets(tx: Tx, { tenantId, mode }: Owner, limit: number) {
  return rowsWhere(tx, "wallets", { tenantId, mode })
    .innerJoin("agents", sameColumns("agents", "wallets", ["tenantId", "mode", "agentId"]))
    .select("agents.name as agentName")
    .where("wallets.freezeMode", "is not", null)
    .orderBy("wallets.frozenAt", "desc")
    .orderBy("wallets.walletId", "desc")
    .limit(limit)
    .execute();
}

/** Times are texts, because they are from a JSON value. */
interface WaitingApproval {
  readonly approvalId: string;
  readonly title: string;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly expiresAt: string;
}

interface BrokenLink {
  readonly linkId: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly provider: string;
  readonly status: Extract<LinkStatus, "failed" | "expired">;
}

interface EndingKey {
  readonly keyId: string;
  readonly name: string;
  readonly reason: "expires" | "grace_ends";
  readonly endsAt: string;
}

/** What a new developer has done already. */
interface FirstSteps {
  readonly emailVerified: boolean;
  readonly hasKey: boolean;
  readonly hasProject: boolean;
  readonly hasLinkedProvider: boolean;
  readonly hasService: boolean;
  readonly hasAgent: boolean;
  readonly hasWallet: boolean;
  readonly hasPayment: boolean;
}

export interface Waiting extends FirstSteps {
  readonly approvals: readonly WaitingApproval[];
  readonly links: readonly BrokenLink[];
  readonly keys: readonly EndingKey[];
}

/**
 * Returns what waits for a person and which first steps are done, in one statement. Must run in a transaction of the tenant,
 * because it reads keys. `keysUntil`: keys that end until then are listed. `limit`: of each list.
 */
export async function readWaiting(
  tx: Tx,
  { tenantId, mode }: Owner,
  { now, keysUntil, limit }: { readonly now: Date; readonly keysUntil: Date; readonly limit: number },
): Promise<Waiting> {
  const own = sql`tenant_id = ${tenantId} and mode = ${mode}`;
  const { rows } = await sql<Waiting>`select
    ${rowsAsJson(sql`
      select approval_id as "approvalId", summary ->> 'title' as title, summary ->> 'amount' as amount,
        summary ->> 'currency' as currency, expires_at as "expiresAt"
      from approvals where ${own} and status = 'pending' and expires_at > ${now}
      order by expires_at, approval_id limit ${limit}`)} as approvals,
    ${rowsAsJson(sql`
      select link_id as "linkId", newest.project_id as "projectId", project.name as "projectName", provider,
        newest.status
      from (
        select distinct on (project_id, provider) link_id, project_id, provider, updated_at,
          case when status = 'pending_auth' and expires_at <= ${now} then 'expired' else status end as status
        from provider_links where ${own}
        order by project_id, provider, status = 'linked' desc, created_at desc, link_id desc
      ) as newest
      join projects as project on project.tenant_id = ${tenantId} and project.project_id = newest.project_id
        and project.deleted_at is null
      where newest.status in ('failed', 'expired')
      order by newest.updated_at desc, link_id limit ${limit}`)} as links,
    ${rowsAsJson(sql`
      select key_id as "keyId", name, ends_at as "endsAt",
        case when ends_at = grace_expires_at then 'grace_ends' else 'expires' end as reason
      from (select *, least(expires_at, grace_expires_at) as ends_at from api_keys where ${own} and revoked_at is null) as key
      where ends_at > ${now} and ends_at <= ${keysUntil}
      order by ends_at, key_id limit ${limit}`)} as keys,
    (select email_verified_at is not null from developers where tenant_id = ${tenantId}) as email_verified,
    exists (select from api_keys where ${own} and revoked_at is null
      and coalesce(least(expires_at, grace_expires_at) > ${now}, true)) as has_key,
    exists (select from projects where ${own} and deleted_at is null) as has_project,
    exists (select from provider_links where ${own} and status = 'linked') as has_linked_provider,
    exists (select from services where ${own} and status not in ('removed', 'failed')) as has_service,
    exists (select from agents where ${own} and deleted_at is null) as has_agent,
    exists (select from wallets where ${own}) as has_wallet,
    exists (select from payments where ${own}) as has_payment`.execute(tx);
  const [waiting] = rows;
  invariant(waiting !== undefined, "a select without a table has one row");
  return waiting;
}

/** Returns the rows of a query as one JSON array, in their order. */
function rowsAsJson(query: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(listed), '[]') from (${query}) as listed)`;
}

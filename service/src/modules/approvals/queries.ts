import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inTurns, type ListedPage, type Page, readNewest } from "../../db/pages.ts";
import type { Row } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { countRows, lockName, rowsWhere, selectWhere } from "../../db/where.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { ApprovalId, TenantId } from "../../foundation/ids.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import type { ApprovalStatus } from "../../foundation/vocabulary.ts";

export type Approval = Row<"approvals">;

/** Identifies an approval within a tenant. */
export type ApprovalKey = Pick<Approval, "tenantId" | "approvalId">;

export const approvalRows = tableOf("approvals", ["tenantId", "approvalId"]);
/** The approvals by the hashes of the tokens in their emailed URLs. The token is the credential, so the tenant comes from the row. */
export const approvalRowsByToken = tableOf("approvals", ["tokenHash"]);

/** The rows that a credential can read. A key that is bound to agents reads the approvals of these agents. */
export type ApprovalScope = Pick<TenantScope, "tenantId" | "mode" | "agentIds">;

function selectInScope(db: Db, { tenantId, mode, agentIds }: ApprovalScope) {
  const approvals = rowsWhere(db, "approvals", { tenantId, mode });
  if (agentIds.length === 0) return approvals;
  return approvals.where(sql<boolean>`agent_id = any(${agentIds}::uuid[])`);
}

export async function findApproval(
  db: Db,
  scope: ApprovalScope,
  approvalId: ApprovalId,
): Promise<Approval | undefined> {
  return selectInScope(db, scope).where("approvalId", "=", approvalId).executeTakeFirst();
}

export interface ApprovalFilter {
  /** The status at the time `at`. */
  readonly status: ApprovalStatus | undefined;
  /** In lowercase. */
  readonly agentId: string | undefined;
  readonly at: Date;
}

export async function listApprovals(
  db: Db,
  scope: ApprovalScope,
  { status, agentId, at, after, limit }: ApprovalFilter & Page<string>,
): Promise<ListedPage<Approval>> {
  let approvals = selectInScope(db, scope);
  if (agentId !== undefined) approvals = approvals.where("agentId", "=", agentId);
  if (status !== undefined) {
    approvals = approvals.where(
      sql<boolean>`case when status = 'pending' and expires_at <= ${at} then 'expired' else status end = ${status}`,
    );
  }
  return readNewest(
    approvals,
    { tenantId: scope.tenantId, table: "approvals", column: "approvalId" },
    { after, limit },
  );
}

/** What is waiting for approvals: one object, everything that an agent asked for, or what waits for one approval. */
export type WaitingFor =
  | { readonly subject: { readonly type: string; readonly id: string } }
  | { readonly agentId: string }
  | { readonly approvalId: string };

/** Returns the approvals that are pending at this time, and locks their rows until the transaction ends. */
export async function lockPendingApprovals(
  tx: Tx,
  { tenantId, mode }: Pick<Approval, "tenantId" | "mode">,
  { waiting, at }: { readonly waiting: WaitingFor; readonly at: Date },
): Promise<Approval[]> {
  const pending = selectInScope(tx, { tenantId, mode, agentIds: [] })
    .where("status", "=", "pending")
    .where("expiresAt", ">", at);
  return pending.where(isWaitingFor(waiting)).orderBy("approvalId").forNoKeyUpdate().execute();
}

function isWaitingFor(waiting: WaitingFor) {
  if ("agentId" in waiting) return sql<boolean>`agent_id = ${waiting.agentId}::uuid`;
  if ("approvalId" in waiting) return sql<boolean>`approval_id = ${waiting.approvalId}`;
  const { type, id } = waiting.subject;
  return sql<boolean>`(subject_type = ${type} and subject_id = ${id})`;
}

/** Returns the subject's approvals with any status, oldest first. */
export async function listApprovalsOf(
  db: Db,
  {
    tenantId,
    subject,
  }: Pick<Approval, "tenantId"> & {
    readonly subject: { readonly type: string; readonly id: string };
  },
): Promise<Approval[]> {
  return rowsWhere(db, "approvals", { tenantId, subjectType: subject.type, subjectId: subject.id })
    .orderBy("createdAt")
    .orderBy("approvalId")
    .execute();
}

/**
 * Counts what the agent, or the developer if `agentId` is null, is waiting for at this time. Takes a lock until the
 * transaction ends, so concurrent calls wait.
 */
export async function countPendingLocked(
  tx: Tx,
  { tenantId, mode, agentId }: Pick<Approval, "tenantId" | "mode" | "agentId">,
  at: Date,
): Promise<number> {
  await lockName(tx, `approvals ${tenantId} ${mode} ${agentId}`);
  return countRows(
    rowsWhere(tx, "approvals", { tenantId, mode, status: "pending" })
      .where("agentId", agentId === null ? "is" : "=", agentId)
      .where("expiresAt", ">", at),
  );
}

/** How many approvals were emailed each on its own: of the agent in ten minutes, and of the tenant and mode in an hour. */
export async function countEmailed(
  tx: Tx,
  { tenantId, mode, agentId }: Pick<Approval, "tenantId" | "mode" | "agentId">,
  at: Date,
): Promise<{ readonly ofAgent: number; readonly ofTenant: number }> {
  const since = (seconds: number) => new Date(at.getTime() - seconds * 1_000);
  const { rows } = await sql<{ readonly ofAgent: number; readonly ofTenant: number }>`
    select count(*)::integer as of_tenant, (count(*) filter (where created_at > ${since(600)}
        and agent_id is not distinct from ${agentId}::uuid))::integer as of_agent
      from approvals where tenant_id = ${tenantId} and mode = ${mode} and is_emailed and created_at > ${since(3_600)}`.execute(
    tx,
  );
  return rows[0] ?? { ofAgent: 0, ofTenant: 0 };
}

/** Returns the tenant's pending approvals that had no email alone, of both modes. Those that expire first come first. */
export async function listNotEmailed(db: Db, tenantId: TenantId, at: Date, limit: number): Promise<Approval[]> {
  return rowsWhere(db, "approvals", { tenantId, status: "pending", isEmailed: false })
    .where("expiresAt", ">", at)
    .orderBy("expiresAt")
    .orderBy("approvalId")
    .limit(limit)
    .execute();
}

type DueApproval = Pick<Approval, "expiresAt" | "tenantId" | "approvalId">;

/** Yields the pending approvals of all tenants that have expired, the longest due first. */
export function expiredApprovals(db: Db, clock: Clock): AsyncGenerator<DueApproval> {
  return inTurns<DueApproval>(db, ["expiresAt", "tenantId", "approvalId"], () =>
    selectWhere(db, "approvals", { status: "pending" })
      .select(["expiresAt", "tenantId", "approvalId"])
      .where("expiresAt", "<=", clock.now()),
  );
}

/** Returns which of these approvals, of any tenants, are no longer pending at this time. */
export async function listEndedApprovals(db: Db, keys: readonly ApprovalKey[], at: Date): Promise<ApprovalId[]> {
  const tenantIds = keys.map(({ tenantId }) => tenantId);
  const approvalIds = keys.map(({ approvalId }) => approvalId);
  const rows = await db
    .selectFrom("approvals")
    .select("approvalId")
    .where(
      sql<boolean>`(tenant_id, approval_id) in (
        select * from unnest(${tenantIds}::text[], ${approvalIds}::text[]))`,
    )
    .where(sql<boolean>`(status <> 'pending' or expires_at <= ${at})`)
    .execute();
  return rows.map(({ approvalId }) => approvalId);
}

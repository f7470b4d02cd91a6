import type { Static } from "typebox";
import type { App } from "../../app.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { Db } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ApprovalId, TenantId } from "../../foundation/ids.ts";
import { agentRows } from "../agents/queries.ts";
import { type ApprovalResource, presentApproval } from "./approval-resource.ts";
import {
  type Approval,
  type ApprovalKey,
  type ApprovalScope,
  approvalRows,
  findApproval,
  findApprovalByToken,
  listApprovalsOf,
} from "./queries.ts";

export interface GetApproval {
  readonly scope: ApprovalScope;
  readonly approvalId: ApprovalId;
}

/** Returns an approval in scope. Throws `approval_not_found`. */
export async function getApproval({ db }: Pick<App, "db">, { scope, approvalId }: GetApproval): Promise<Approval> {
  const approval = await findApproval(db, scope, approvalId);
  if (approval === undefined) throw approvalNotFound(approvalId);
  return approval;
}

/** Returns the newest approval of the subject in its API representation. Null if there is none. */
export async function readNewestApproval(
  app: Pick<App, "db" | "clock" | "settings">,
  tenantId: TenantId,
  subject: { readonly type: string; readonly id: string },
): Promise<Static<typeof ApprovalResource> | null> {
  const approval = (await listApprovalsOf(app.db, { tenantId, subject })).at(-1);
  return approval === undefined ? null : presentApproval(app, approval, app.clock.now());
}

/** An approval as its page shows it. */
export interface EmailedApproval {
  readonly approval: Approval;
  /** Null if the developer asked, or if the agent has no row. */
  readonly agentName: string | null;
}

/** Returns the approval whose emailed URL contains this token, or undefined if there is none. */
export async function findEmailedApproval(
  { db }: Pick<App, "db">,
  token: string,
): Promise<EmailedApproval | undefined> {
  const approval = await findApprovalByToken(db, sha256Hex(token));
  if (approval === undefined) return undefined;
  return { approval, agentName: await findAgentName(db, approval) };
}

/** Returns the tenant's approval in any mode, or undefined if there is none. */
export async function findOwnApproval({ db }: Pick<App, "db">, key: ApprovalKey): Promise<EmailedApproval | undefined> {
  const approval = await approvalRows.find(db, key);
  return approval && { approval, agentName: await findAgentName(db, approval) };
}

/** Returns the name of the agent that asked, or null if the developer did. */
export async function findAgentName(
  db: Db,
  { tenantId, mode, agentId }: Pick<Approval, "tenantId" | "mode" | "agentId">,
): Promise<string | null> {
  const agent = agentId === null ? undefined : await agentRows.find(db, { tenantId, mode, agentId });
  return agent?.name ?? null;
}

export function approvalNotFound(approvalId: ApprovalId): AppError {
  return new AppError("approval_not_found", {
    internal: `approval ${approvalId} does not exist in this mode, or the key cannot read it`,
  });
}

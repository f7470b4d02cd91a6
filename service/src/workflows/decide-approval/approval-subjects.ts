import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { Approval } from "../../modules/approvals/index.ts";

/** What happens to an object that waited for an approval. */
export interface ApprovalSubject {
  /** Runs in the transaction of the decision. `approval.status` is `approved`, `denied` or `expired`. */
  decided(tx: Tx, app: App, actor: Actor, approval: Approval): Promise<void>;
  /**
   * Runs after the commit, to start work without delay. A job must do the same, because a process can stop before this
   * call.
   */
  afterCommit?(app: App, approval: Approval): Promise<void>;
}

export type ApprovalSubjects = ReadonlyMap<string, ApprovalSubject>;

/** What can wait for an approval, by the type of its subject. */
export const approvalSubjects: ApprovalSubjects = new Map();

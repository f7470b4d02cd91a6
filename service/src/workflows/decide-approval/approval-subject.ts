import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { ProjectId, WalletId } from "../../foundation/ids.ts";
import type { Approval } from "../../modules/approvals/index.ts";

/** An object that waits or waited for an approval. */
export interface SubjectState {
  readonly status: string;
  /** Why it was not carried out. */
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly projectId: ProjectId | null;
  /** The wallet that pays. */
  readonly walletId?: WalletId;
}

/** What happens to an object that waited for an approval. */
export interface ApprovalSubject {
  /** Runs in the transaction of the decision. `approval.status` is `approved`, `denied` or `expired`. */
  decided(tx: Tx, app: App, actor: Actor, approval: Approval): Promise<void>;
  read(db: Db, approval: Approval): Promise<SubjectState>;
  /**
   * Runs after the commit, to start work without delay. A job must do the same, because a process can stop before this
   * call.
   */
  afterCommit?(app: App, approval: Approval): Promise<void>;
}

export type ApprovalSubjects = ReadonlyMap<string, ApprovalSubject>;

import type { Db, Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import type { Clock } from "../foundation/clock.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { Mode, Scope } from "../foundation/vocabulary.ts";
import type { OperationKey, OperationRow } from "./queries.ts";

/** Whose operations a credential may look at, and how far it reaches among them. */
export interface OperationReader {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** Empty: bound to no agent. */
  readonly agentIds: readonly string[];
  /** Empty: bound to no project. */
  readonly projectIds: readonly string[];
}

/** What is known of all operations of a type without carrying one out. */
export interface OperationKind {
  /** As it is stored and shown: `service.add`. */
  readonly type: string;
  /** In their order. */
  readonly stepNames: readonly string[];
  /** The scope that a key needs to look at one. */
  readonly readScope: Scope;
  /** Whether a key that is bound to agents or projects reaches what the operation is about. Any other key does. */
  readonly isReached: (
    db: Db,
    reader: OperationReader,
    operation: OperationRow,
  ) => Promise<boolean>;
  /** Leaves one to a person, in a transaction of its tenant. */
  readonly leaveToOperator: (
    tx: Tx,
    app: { readonly clock: Clock },
    key: OperationKey,
    error: OperationError,
  ) => Promise<void>;
}

import type { Db, Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import type { Clock } from "../foundation/clock.ts";
import type { TenantScope } from "../foundation/tenant-scope.ts";
import type { Scope } from "../foundation/vocabulary.ts";
import type { OperationKey, OperationRow } from "./queries.ts";

/** The properties that all operations of a type share. */
export interface OperationKind {
  /** For example `service.add`. */
  readonly type: string;
  /** The step names, in the order in which the steps run. */
  readonly stepNames: readonly string[];
  /** The scope that an API key needs to read an operation of this type. */
  readonly readScope: Scope;
  /**
   * Returns whether an API key that is bound to agents or projects can read the operation. Not called for API keys
   * without such bindings.
   */
  readonly canRead: (db: Db, scope: TenantScope, operation: OperationRow) => Promise<boolean>;
  /**
   * Sets the operation to `needs_operator`. `tx` must be a transaction of the operation's tenant. `stuckStep` is the vendor
   * step that could not be undone. Default: nothing was being undone.
   */
  readonly escalateToOperator: (
    tx: Tx,
    app: { readonly clock: Clock },
    key: OperationKey,
    error: OperationError,
    stuckStep?: string | null,
  ) => Promise<void>;
}

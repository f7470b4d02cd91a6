import type { KillSwitchId } from "../../foundation/ids.ts";
import type {
  KillSwitchOutcome,
  KillSwitchScope,
  KillSwitchStatus,
  KillSwitchTargetType,
} from "../../foundation/vocabulary.ts";
import type { AuditActor } from "./audit.ts";
import type { ChangingOfMode, JsonColumn, OfTenant, Optional } from "./columns.ts";

export interface KillSwitchTables {
  readonly killSwitches: ChangingOfMode & {
    readonly killSwitchId: KillSwitchId;
    readonly scope: KillSwitchScope;
    /** The id of the agent, the project or the developer. */
    readonly targetId: string;
    readonly reason: string;
    readonly onchain: boolean;
    readonly rotateEnv: boolean;
    readonly status: KillSwitchStatus;
    /** Raised by each reconciliation. */
    readonly run: Optional<number>;
    readonly triggeredBy: JsonColumn<Pick<AuditActor, "type" | "id">>;
    /** Who the audit entries of the current run name. */
    readonly actor: JsonColumn<AuditActor>;
    readonly requestId: string | null;
    /** The API key that triggered it. Null for a dashboard session. */
    readonly keyId: Optional<string | null>;
    /** The end of the newest run that ended. */
    readonly completedAt: Optional<Date | null>;
  };
  readonly killSwitchTargets: OfTenant & {
    readonly killSwitchId: KillSwitchId;
    readonly targetType: KillSwitchTargetType;
    readonly targetId: string;
    readonly outcome: KillSwitchOutcome;
    /** The freeze of a wallet on the chain. Null for other targets, and if it was not asked for. */
    readonly onchain: Optional<"simulated" | "blocked_pending" | null>;
    /** Why the outcome is neither `killed` nor `already_dead`. */
    readonly detail: Optional<string | null>;
    /** The run that looked at the target last. */
    readonly run: number;
  };
}

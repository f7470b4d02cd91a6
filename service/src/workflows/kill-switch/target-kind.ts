import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { KillSwitch, KillSwitchTarget } from "../../modules/kill-switches/queries.ts";
import type { ListedTargetType } from "./queries.ts";

/** A run of a kill switch, and who its audit entries name. */
export interface KillRun {
  readonly killSwitch: KillSwitch;
  readonly actor: Actor;
}

export type Killed = Pick<KillSwitchTarget, "outcome"> & Partial<Pick<KillSwitchTarget, "onchain" | "detail">>;

/** How a kill switch kills targets of one type. `listUnreported` finds them. */
export interface TargetKind {
  readonly type: ListedTargetType;
  /** Kills one target in a transaction of its own, which also stores the outcome. Calls no vendor. */
  kill(tx: Tx, app: App, run: KillRun, targetId: string): Promise<Killed>;
}

import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { KillSwitchTargetType } from "../../foundation/vocabulary.ts";
import type { KillSwitch, KillSwitchTarget } from "../../modules/kill-switches/queries.ts";

/** A run of a kill switch, and who its audit entries name. */
export interface KillRun {
  readonly killSwitch: KillSwitch;
  readonly actor: Actor;
}

export type Killed = Pick<KillSwitchTarget, "outcome"> & Partial<Pick<KillSwitchTarget, "onchain" | "detail">>;

/** How a kill switch finds and kills targets of one type. */
export interface TargetKind {
  readonly type: KillSwitchTargetType;
  /** Returns targets that the run has not reported yet. */
  list(app: App, killSwitch: KillSwitch, limit: number): Promise<readonly string[]>;
  /** Kills one target in a transaction of its own, which also stores the outcome. Calls no vendor. */
  kill(tx: Tx, app: App, run: KillRun, targetId: string): Promise<Killed>;
}

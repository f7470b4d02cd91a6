import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import {
  KILL_SWITCH_OUTCOMES,
  KILL_SWITCH_SCOPES,
  KILL_SWITCH_STATUSES,
  KILL_SWITCH_TARGET_TYPES,
  ONCHAIN_KILL_OUTCOMES,
} from "../../foundation/vocabulary.ts";
import {
  Count,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  OneOf,
  SubjectOut,
  Text,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { proveRevocation, RevocationProof } from "../../revocations/revocations.ts";
import type { KillSwitch, KillSwitchTarget, TargetCount } from "./queries.ts";

const PROOF_DOMAIN = "purser-kill-switch-v1";

/** A kill switch with its report. */
export interface KillSwitchReport {
  readonly killSwitch: KillSwitch;
  readonly counts: readonly TargetCount[];
  /** The first targets. */
  readonly targets: readonly KillSwitchTarget[];
}

const OutcomeCounts = NamedObject("KillSwitchCounts", {
  type: Type.Enum([...KILL_SWITCH_TARGET_TYPES]),
  killed: Type.Integer(),
  already_dead: Type.Integer(),
  blocked_pending: Type.Integer(),
  failed: Type.Integer(),
});

const SUMMARY = {
  object: Type.Literal("kill_switch"),
  kill_switch_id: Type.String(),
  mode: ModeName,
  scope: Type.Enum([...KILL_SWITCH_SCOPES]),
  id: Text("The id of the agent, the project or the developer."),
  reason: Type.String(),
  onchain: Type.Boolean(),
  rotate_env: Type.Boolean(),
  status: OneOf(
    KILL_SWITCH_STATUSES,
    "`running`: not everything has been killed yet. `completed`: everything is dead. `blocked_pending`: the run has ended, and some targets are not dead yet.",
  ),
  run: Count("The number of the current run: 1, and one more for each reconciliation."),
  triggered_by: SubjectOut,
  counts: ListOf(OutcomeCounts, "The numbers of targets by type and outcome."),
  created_at: Timestamp,
  completed_at: Nullable(Timestamp, "When the newest run that ended has ended. Null during the first run."),
  updated_at: Timestamp,
};

/** A kill switch in a list. */
export const KillSwitchSummaryResource = Type.Object(SUMMARY, { $id: "KillSwitchSummary" });

const Target = Type.Object({
  type: Type.Enum([...KILL_SWITCH_TARGET_TYPES]),
  id: Type.String(),
  outcome: Type.Enum([...KILL_SWITCH_OUTCOMES]),
  onchain: Nullable(
    Type.Enum([...ONCHAIN_KILL_OUTCOMES]),
    "The freeze of a wallet on the chain, when the run reached it. `blocked_pending`: no block contains it yet; reconcile to see the outcome. Null for other targets, and if `onchain` is false.",
  ),
  detail: Nullable(Type.String(), "Why the target is not dead. Null if it is."),
});

export const KillSwitchResource = NamedObject("KillSwitch", {
  ...SUMMARY,
  targets: ListOf(
    Target,
    "The first 1,000 targets: those that are not dead, then the others in the order of their types and ids.",
  ),
  targets_omitted: Count("The number of targets that are not listed."),
  proof: Nullable(RevocationProof, "A signed proof of this object. Null while the kill switch is running."),
});

export function presentKillSwitchSummary({
  killSwitch,
  counts,
}: Omit<KillSwitchReport, "targets">): Static<typeof KillSwitchSummaryResource> {
  return toWire(KillSwitchSummaryResource, killSwitch, {
    id: killSwitch.targetId,
    triggered_by: { type: killSwitch.triggeredBy.type, id: killSwitch.triggeredBy.id },
    counts: KILL_SWITCH_TARGET_TYPES.map((type) => countsOf(type, counts)),
  });
}

/** The proof covers all other fields. */
export function presentKillSwitch(
  { signer }: Pick<App, "signer">,
  report: KillSwitchReport,
): Static<typeof KillSwitchResource> {
  const { killSwitch, counts, targets } = report;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const presented = {
    ...presentKillSwitchSummary(report),
    targets: targets.map((target) => toWire(Target, target, { type: target.targetType, id: target.targetId })),
    targets_omitted: total - targets.length,
  };
  if (killSwitch.status === "running") return { ...presented, proof: null };
  const proof = proveRevocation(signer, PROOF_DOMAIN, killSwitch.killSwitchId, presented);
  return { ...presented, proof };
}

function countsOf(type: TargetCount["targetType"], counts: readonly TargetCount[]): Static<typeof OutcomeCounts> {
  const of = (outcome: TargetCount["outcome"]) =>
    counts
      .filter((row) => row.targetType === type && row.outcome === outcome)
      .reduce((sum, { count }) => sum + count, 0);
  return {
    type,
    killed: of("killed"),
    already_dead: of("already_dead"),
    blocked_pending: of("blocked_pending"),
    failed: of("failed"),
  };
}

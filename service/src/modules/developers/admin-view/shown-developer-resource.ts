import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { KYB_DECISIONS } from "../../../foundation/vocabulary.ts";
import { Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import { DeveloperResource, presentDeveloper } from "../developer-resource.ts";
import type { KybDecisionRow } from "../kyb/queries.ts";
import type { DeveloperProfile } from "../queries.ts";

/** A decision about a developer's business that waits for a second admin. */
const PendingKybDecisionResource = Type.Object(
  {
    status: Type.Enum([...KYB_DECISIONS]),
    legal_name: Nullable(Type.String()),
    registration_number: Nullable(Type.String()),
    jurisdiction: Nullable(Type.String()),
    reference: Nullable(Type.String()),
    note: Nullable(Type.String()),
    expires_at: Nullable(Timestamp),
    proposed_by: Type.String(),
    proposed_at: Timestamp,
  },
  { $id: "PendingKybDecision" },
);

/** A developer as an admin sees one (docs/api.md). */
export const ShownDeveloperResource = Type.Object(
  { ...DeveloperResource.properties, waiting_kyb_decision: Nullable(PendingKybDecisionResource) },
  { $id: "ShownDeveloper" },
);

export function presentShownDeveloper(
  app: Pick<App, "clock" | "settings">,
  developer: DeveloperProfile,
  waiting: KybDecisionRow | undefined,
): Static<typeof ShownDeveloperResource> {
  return {
    ...presentDeveloper(app, developer),
    waiting_kyb_decision: waiting === undefined ? null : presentPendingDecision(waiting),
  };
}

function presentPendingDecision(
  decision: KybDecisionRow,
): Static<typeof PendingKybDecisionResource> {
  return {
    status: decision.status,
    legal_name: decision.legalName,
    registration_number: decision.registrationNumber,
    jurisdiction: decision.jurisdiction,
    reference: decision.reference,
    note: decision.note,
    expires_at: decision.expiresAt?.toISOString() ?? null,
    proposed_by: decision.proposedBy,
    proposed_at: decision.proposedAt.toISOString(),
  };
}

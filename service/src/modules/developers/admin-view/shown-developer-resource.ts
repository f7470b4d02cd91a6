import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { KYB_DECISIONS } from "../../../foundation/vocabulary.ts";
import { Nullable, Timestamp } from "../../../foundation/wire/fields.ts";
import { DeveloperResource, presentDeveloper } from "../developer-resource.ts";
import type { KybDecisionRow } from "../kyb/queries.ts";
import type { DeveloperProfile } from "../queries.ts";

/** A KYB (know-your-business) decision that is waiting for a second admin. */
const PendingKybDecisionResource = Type.Object(
  {
    status: Type.Enum([...KYB_DECISIONS], { description: "The proposed KYB status." }),
    legal_name: Nullable(Type.String()),
    registration_number: Nullable(Type.String()),
    jurisdiction: Nullable(Type.String()),
    reference: Nullable(Type.String()),
    note: Nullable(Type.String()),
    expires_at: {
      ...Nullable(Timestamp),
      description: "When the verification expires. Null if the proposed decision sets no expiry.",
    },
    proposed_by: Type.String({ description: "The id of the admin who proposed the decision." }),
    proposed_at: Timestamp,
  },
  {
    $id: "PendingKybDecision",
    description: "A KYB decision that needs a second admin's approval.",
  },
);

/** A developer as shown to admins (docs/api.md, section 16.4). */
export const ShownDeveloperResource = Type.Object(
  {
    ...DeveloperResource.properties,
    waiting_kyb_decision: {
      ...Nullable(PendingKybDecisionResource),
      description: "The KYB decision that needs a second admin's approval. Null if there is none.",
    },
  },
  { $id: "ShownDeveloper" },
);

export function presentShownDeveloper(
  app: Pick<App, "clock" | "settings">,
  developer: DeveloperProfile,
  pendingDecision: KybDecisionRow | undefined,
): Static<typeof ShownDeveloperResource> {
  return {
    ...presentDeveloper(app, developer),
    waiting_kyb_decision: pendingDecision === undefined ? null : presentPendingDecision(pendingDecision),
  };
}

function presentPendingDecision(decision: KybDecisionRow): Static<typeof PendingKybDecisionResource> {
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

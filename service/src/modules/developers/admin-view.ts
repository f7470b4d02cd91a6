import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { KYB_DECISIONS } from "../../foundation/vocabulary.ts";
import { ListOf, NamedObject, Nullable, OneOf, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { DeveloperResource, presentDeveloper } from "./developer-resource.ts";
import { KybCaseResource, type KybHistory, presentKybCase } from "./kyb/kyb-case.ts";
import { kybStatusAt } from "./kyb/kyb-status.ts";
import type { Developer, DeveloperProfile } from "./queries.ts";

const { properties } = DeveloperResource;

/** A developer in the list shown to admins (docs/rules/admins.md). */
export const ListedDeveloperResource = NamedObject("ListedDeveloper", {
  object: properties.object,
  developer_id: properties.developer_id,
  email: properties.email,
  name: properties.name,
  company_name: properties.company_name,
  country: properties.country,
  status: properties.status,
  email_verified: properties.email_verified,
  kyb: properties.kyb,
  kyb_submitted_at: Nullable(
    Timestamp,
    "When the developer sent the data of the business. Null if the developer has sent none.",
  ),
  created_at: properties.created_at,
});

export function presentListedDeveloper(developer: Developer, now: Date): Static<typeof ListedDeveloperResource> {
  return toWire(ListedDeveloperResource, developer, {
    developer_id: developer.tenantId,
    email_verified: developer.emailVerifiedAt !== null,
    kyb: kybStatusAt(developer, now),
  });
}

/** A KYB (know-your-business) decision that is waiting for a second admin. */
const PendingKybDecisionResource = Type.Object(
  {
    status: OneOf(KYB_DECISIONS, "The proposed KYB status."),
    legal_name: Nullable(Type.String()),
    registration_number: Nullable(Type.String()),
    jurisdiction: Nullable(Type.String()),
    reference: Nullable(Type.String()),
    note: Nullable(Type.String()),
    expires_at: Nullable(Timestamp, "When the verification expires. Null if the proposed decision sets no expiry."),
    proposed_by: Text("The id of the admin who proposed the decision."),
    proposed_at: Timestamp,
  },
  {
    $id: "PendingKybDecision",
    description: "A KYB decision that needs a second admin's approval.",
  },
);

/** A KYB decision that an admin has made. */
const KybDecisionResource = Type.Object(
  {
    ...PendingKybDecisionResource.properties,
    approved_by: Nullable(Type.String(), "The id of the second admin. Null if there is none."),
    applied_at: Nullable(Timestamp, "When the decision took effect. Null if it has not."),
    superseded_at: Nullable(Timestamp, "When another decision, or other data, took its place before it took effect."),
  },
  { $id: "KybDecisionEntry", description: "A KYB decision that an admin has made." },
);

/** A developer as shown to admins (docs/rules/admins.md). */
export const ShownDeveloperResource = NamedObject("ShownDeveloper", {
  ...DeveloperResource.properties,
  waiting_kyb_decision: Nullable(
    PendingKybDecisionResource,
    "The KYB decision that needs a second admin's approval. Null if there is none.",
  ),
  kyb_case: KybCaseResource,
  kyb_decisions: ListOf(KybDecisionResource, "The newest 20 KYB decisions, newest first."),
});

export function presentShownDeveloper(
  app: Pick<App, "clock" | "settings">,
  developer: DeveloperProfile,
  { kybCase, waiting, decisions }: KybHistory,
): Static<typeof ShownDeveloperResource> {
  return {
    ...presentDeveloper(app, developer),
    waiting_kyb_decision: waiting === undefined ? null : toWire(PendingKybDecisionResource, waiting),
    kyb_case: presentKybCase(kybCase),
    kyb_decisions: decisions.map((decision) => toWire(KybDecisionResource, decision)),
  };
}

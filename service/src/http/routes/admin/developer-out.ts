import { Type } from "typebox";
import { KYB_DECISIONS } from "../../../foundation/vocabulary.ts";
import { Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import {
  type Developer,
  type KybDecisionRow,
  kybStatusAt,
} from "../../../modules/developers/index.ts";
import { DeveloperOut } from "../developers/presenter.ts";

const { object, developer_id, email, name, company_name, country, status, email_verified, kyb } =
  DeveloperOut.properties;

/** A developer in an admin's list. */
export const ListedDeveloperOut = Type.Object(
  {
    object,
    developer_id,
    email,
    name,
    company_name,
    country,
    status,
    email_verified,
    kyb,
    created_at: Timestamp,
  },
  { $id: "ListedDeveloper" },
);

export function presentListedDeveloper(developer: Developer, now: Date) {
  return {
    object: "developer" as const,
    developer_id: developer.tenantId,
    email: developer.email,
    name: developer.name,
    company_name: developer.companyName,
    country: developer.country,
    status: developer.status,
    email_verified: developer.emailVerifiedAt !== null,
    kyb: kybStatusAt(developer, now),
    created_at: developer.createdAt.toISOString(),
  };
}

/** A decision about a developer's business that waits for a second admin. */
export const PendingDecisionOut = Type.Object({
  status: Type.Enum([...KYB_DECISIONS]),
  legal_name: Nullable(Type.String()),
  registration_number: Nullable(Type.String()),
  jurisdiction: Nullable(Type.String()),
  reference: Nullable(Type.String()),
  note: Nullable(Type.String()),
  expires_at: Nullable(Timestamp),
  proposed_by: Type.String(),
  proposed_at: Timestamp,
});

export function presentPendingDecision(decision: KybDecisionRow) {
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

import { type Static, Type } from "typebox";
import { DeveloperResource } from "../developer-resource.ts";
import { kybStatusAt } from "../kyb/kyb-status-at.ts";
import type { Developer } from "../queries.ts";

const { properties } = DeveloperResource;

/** A developer in the list shown to admins (docs/api.md, section 16.4). */
export const ListedDeveloperResource = Type.Object(
  {
    object: properties.object,
    developer_id: properties.developer_id,
    email: properties.email,
    name: properties.name,
    company_name: properties.company_name,
    country: properties.country,
    status: properties.status,
    email_verified: properties.email_verified,
    kyb: properties.kyb,
    created_at: properties.created_at,
  },
  { $id: "ListedDeveloper" },
);

export function presentListedDeveloper(developer: Developer, now: Date): Static<typeof ListedDeveloperResource> {
  return {
    object: "developer",
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

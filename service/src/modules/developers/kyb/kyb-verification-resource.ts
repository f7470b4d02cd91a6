import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { DeveloperResource, presentDeveloper } from "../developer-resource.ts";
import type { DeveloperProfile } from "../queries.ts";

/** A developer after a decision about the business, with the decision's audit entry (docs/api.md). */
export const KybVerificationResource = Type.Object(
  { ...DeveloperResource.properties, audit_id: Type.String() },
  { $id: "KybVerification" },
);

export function presentKybVerification(
  app: Pick<App, "clock" | "settings">,
  developer: DeveloperProfile,
  auditId: string,
): Static<typeof KybVerificationResource> {
  return { ...presentDeveloper(app, developer), audit_id: auditId };
}

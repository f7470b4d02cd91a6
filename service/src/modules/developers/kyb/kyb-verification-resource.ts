import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { DeveloperResource, presentDeveloper } from "../developer-resource.ts";
import type { DeveloperProfile } from "../queries.ts";

/** A developer after a KYB decision, with the ID of the decision's audit entry (docs/api.md, section 16.4). */
export const KybVerificationResource = Type.Object(
  {
    ...DeveloperResource.properties,
    audit_id: Type.String({ description: "The id of the audit entry for the decision." }),
  },
  { $id: "KybVerification" },
);

export function presentKybVerification(
  app: Pick<App, "clock" | "settings">,
  developer: DeveloperProfile,
  auditId: string,
): Static<typeof KybVerificationResource> {
  return { ...presentDeveloper(app, developer), audit_id: auditId };
}

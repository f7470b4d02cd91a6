import { Type } from "typebox";
import { Check } from "typebox/value";
import type { VendorRoute } from "../kit/vendor-simulator.ts";
import { callerOf } from "./organizations.ts";
import { verifyStamp } from "./stamp.ts";
import { turnkeyError } from "./turnkey-errors.ts";

const WhoamiBody = Type.Object({ organizationId: Type.String({ minLength: 1 }) }, { additionalProperties: false });

/**
 * Returns the caller's identity. The request must contain the ID of the caller's organization or of the parent
 * organization. The response always contains the caller's organization.
 */
export const whoamiRoute: VendorRoute = {
  operation: "PublicApiService_GetWhoami",
  method: "POST",
  url: "/public/v1/query/whoami",
  body: WhoamiBody,
  auth: verifyStamp,
  handle: async (request) => {
    const { parentId, ...user } = callerOf(request);
    const requestedId = Check(WhoamiBody, request.body) ? request.body.organizationId : "";
    if (requestedId !== user.organizationId && requestedId !== parentId) {
      return turnkeyError(
        "UNAUTHENTICATED",
        `could not find public key in organization or its parent organization organizationId=${requestedId}`,
      );
    }
    const { organizationId, organizationName, userId, username } = user;
    return { status: 200, body: { organizationId, organizationName, userId, username } };
  },
};

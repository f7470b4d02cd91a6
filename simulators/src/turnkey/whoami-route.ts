import { Type } from "typebox";
import { Check } from "typebox/value";
import type { VendorRoute } from "../kit/vendor-simulator.ts";
import { callerOf } from "./organizations.ts";
import { userOfStamp } from "./stamp.ts";
import { turnkeyError } from "./turnkey-errors.ts";

const WhoamiBody = Type.Object(
  { organizationId: Type.String({ minLength: 1 }) },
  { additionalProperties: false },
);

/** Who somebody is. A sub-organization's key may ask by its parent, and is told its own organization all the same. */
export const whoamiRoute: VendorRoute = {
  operation: "PublicApiService_GetWhoami",
  method: "POST",
  url: "/public/v1/query/whoami",
  body: WhoamiBody,
  auth: userOfStamp,
  handle: async (request) => {
    const { parentId, ...user } = callerOf(request);
    const asked = Check(WhoamiBody, request.body) ? request.body.organizationId : "";
    if (asked !== user.organizationId && asked !== parentId) {
      return turnkeyError(
        "UNAUTHENTICATED",
        `could not find public key in organization or its parent organization organizationId=${asked}`,
      );
    }
    const { organizationId, organizationName, userId, username } = user;
    return { status: 200, body: { organizationId, organizationName, userId, username } };
  },
};

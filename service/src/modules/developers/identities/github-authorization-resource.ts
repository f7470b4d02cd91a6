import { type Static, Type } from "typebox";
import { Timestamp } from "../../../foundation/wire/common.ts";
import type { BegunProviderLogin } from "./begin-provider-login.ts";

/** A login with GitHub that was begun (docs/api.md). */
export const GitHubAuthorizationResource = Type.Object(
  {
    state: Type.String(),
    authorization_url: Type.String({ description: "The URL to send the browser to." }),
    expires_at: Timestamp,
  },
  { $id: "GitHubAuthorization" },
);

export function presentGitHubAuthorization({
  state,
  authorizationUrl,
  expiresAt,
}: BegunProviderLogin): Static<typeof GitHubAuthorizationResource> {
  return {
    state,
    authorization_url: authorizationUrl,
    expires_at: expiresAt.toISOString(),
  };
}

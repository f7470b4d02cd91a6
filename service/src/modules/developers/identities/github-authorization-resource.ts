import { type Static, Type } from "typebox";
import { Timestamp } from "../../../foundation/wire/fields.ts";
import type { BegunProviderLogin } from "./start-provider-login.ts";

/** A GitHub login that has been started (docs/api.md, section 16.2). */
export const GitHubAuthorizationResource = Type.Object(
  {
    state: Type.String({
      description:
        "The OAuth `state` value, which GitHub returns when it redirects the browser. Send it to `POST /developers/oauth/github`. Valid once, until `expires_at`, and only with the cookie that this response sets.",
    }),
    authorization_url: Type.String({ description: "The GitHub URL to open in the browser." }),
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

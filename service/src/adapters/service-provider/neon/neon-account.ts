import { Type } from "typebox";
import type { ProviderAccount } from "../../../ports/service-provider.ts";
import type { VendorApi } from "../../http-client/vendor-client.ts";
import { Id } from "./neon-api.ts";

const AuthResponse = Type.Object({ account_id: Id, auth_method: Type.String() });
const UserResponse = Type.Object({ email: Type.String(), login: Type.Optional(Type.String()) });
const OrganizationsResponse = Type.Object({
  organizations: Type.Array(Type.Object({ id: Id, name: Type.String() })),
});

/**
 * Returns an API key's account. An organization key belongs to one organization. A personal key can access all of the
 * user's organizations, so it is rejected if the user has more than one organization.
 */
export async function identifyNeonAccount(neon: VendorApi): Promise<ProviderAccount> {
  const auth = await neon.get("getAuthDetails", "/auth", AuthResponse);
  // An organization key cannot read a user or the organization's name, so the label is the account id.
  if (auth.auth_method === "api_key_org") {
    return { accountId: auth.account_id, label: auth.account_id };
  }

  const operation = "getCurrentUserOrganizations";
  const { organizations } = await neon.get(operation, "/users/me/organizations", OrganizationsResponse);
  const [organization, second] = organizations;
  if (second !== undefined) {
    const problem = "This key can access several organizations. Create an API key of the organization to link.";
    throw neon.error("refused", operation, problem);
  }
  const { email, login } = await neon.get("getCurrentUserInfo", "/users/me", UserResponse);
  return { accountId: organization?.id ?? null, label: email || login || auth.account_id };
}

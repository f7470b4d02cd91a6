import type { VendorRoute } from "../kit/vendor-simulator.ts";
import { accountOf, authenticate, notForOrganizations } from "./neon-accounts.ts";

/** The creation time of all organizations. */
const FOUNDED_AT = "2026-01-01T00:00:00Z";

/** Routes that return the caller's identity. */
export const accountRoutes: readonly VendorRoute[] = [
  {
    operation: "getAuthDetails",
    method: "GET",
    url: "/api/v2/auth",
    auth: authenticate,
    handle: async (request) => {
      const { id, keyType } = accountOf(request);
      const auth_method = keyType === "person" ? "api_key_user" : "api_key_org";
      return { status: 200, body: { account_id: id, auth_method } };
    },
  },
  {
    operation: "getCurrentUserInfo",
    method: "GET",
    url: "/api/v2/users/me",
    auth: authenticate,
    handle: async (request) => {
      const { keyType, id, name } = accountOf(request);
      if (keyType === "organization") return notForOrganizations();
      const email = `${/^[a-z0-9-]+$/.test(name) ? name : id}@sandbox.example`;
      return { status: 200, body: { ...USER_DEFAULTS, id, email, login: email, name } };
    },
  },
  {
    operation: "getCurrentUserOrganizations",
    method: "GET",
    url: "/api/v2/users/me/organizations",
    auth: authenticate,
    handle: async (request) => {
      const { keyType, organizations } = accountOf(request);
      if (keyType === "organization") return notForOrganizations();
      return { status: 200, body: { organizations: organizations.map(presentOrganization) } };
    },
  },
];

const USER_DEFAULTS = {
  last_name: "",
  image: "",
  auth_accounts: [],
  plan: "free_v3",
  active_seconds_limit: 0,
  projects_limit: 100,
  branches_limit: 10,
  max_autoscaling_limit: 2,
} as const;

function presentOrganization(id: string) {
  return {
    id,
    name: id,
    handle: id,
    plan: "scale_v3",
    managed_by: "console",
    created_at: FOUNDED_AT,
    updated_at: FOUNDED_AT,
  };
}

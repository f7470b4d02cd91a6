import { createHash } from "node:crypto";
import type { VendorContext, VendorRequest, VendorRoute } from "../kit/vendor-simulator.ts";
import { findAccountByAccessToken } from "../oauth/tokens.ts";

export const REFUSED_ACCOUNT = "refused";

/** The users on the consent page. The access token of a user's account is `sandbox-` followed by the user's ID. */
export const PERSONAS = [
  { id: "ada", name: "Ada", note: "owns an organization" },
  { id: "grace", name: "Grace", note: "owns another organization" },
  { id: "linus", name: "Linus", note: "belongs to no organization" },
] as const;

const WITHOUT_ORGANIZATION = "linus";

export interface Organization {
  readonly slug: string;
  readonly name: string;
  readonly canAddProject: boolean;
}

/** Returns the account's organization, or undefined if it has none. */
export function findOrganization(account: string): Organization | undefined {
  if (account === WITHOUT_ORGANIZATION) return undefined;
  const name = PERSONAS.find(({ id }) => id === account)?.name ?? account;
  return {
    slug: slugOf(account),
    name: `${name}'s organization`,
    canAddProject: !account.startsWith("full"),
  };
}

/** Derives an organization slug in Supabase's format: twenty letters. */
function slugOf(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 20);
  return Array.from(bytes, (byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

/**
 * Returns the bearer token's account. Accepts personal access tokens (`sandbox-NAME`) and tokens issued to the OAuth
 * app.
 */
export async function authenticate({ headers }: VendorRequest, context: VendorContext): Promise<string | undefined> {
  const token = /^Bearer ([\w-]+)$/.exec(headers.authorization ?? "")?.[1];
  if (token === undefined) return undefined;
  const personal = /^sandbox-([\w-]{1,64})$/.exec(token)?.[1];
  if (personal === undefined) return findAccountByAccessToken(context, token);
  return personal.startsWith(REFUSED_ACCOUNT) ? undefined : personal;
}

/** Returns the request's account, as returned by `authenticate`. */
export function accountOf({ caller, operation }: VendorRequest): string {
  if (typeof caller !== "string") throw new TypeError(`${operation} requires a caller`);
  return caller;
}

export const organizationRoutes: readonly VendorRoute[] = [
  {
    operation: "v1-list-all-organizations",
    method: "GET",
    url: "/v1/organizations",
    auth: authenticate,
    handle: async (request) => {
      const organization = findOrganization(accountOf(request));
      if (organization === undefined) return { status: 200, body: [] };
      const { slug, name } = organization;
      return { status: 200, body: [{ id: slug, slug, name }] };
    },
  },
];

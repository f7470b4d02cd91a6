import { createHash } from "node:crypto";
import type { VendorRequest, VendorResponse } from "../kit/vendor-simulator.ts";
import { neonError } from "./neon-errors.ts";

/** The account that an API key belongs to. */
export interface NeonAccount {
  readonly keyType: "person" | "organization";
  /** The user's or the organization's ID. */
  readonly id: string;
  readonly name: string;
  /** The organizations that the key can access. */
  readonly organizations: readonly string[];
  /** Whether the account can create another project within its project limit. */
  readonly canAddProject: boolean;
  /** Whether the organization is on Neon's free plan, which does not include every setting. */
  readonly isOnFreePlan: boolean;
}

/**
 * Returns the bearer token's account, or undefined if the token is invalid. `sandbox-NAME` is the key of a user in one
 * organization. `sandbox-org-NAME` is the key of the same user's organization. The sandbox's control page lists all
 * prefixes.
 */
export async function authenticate({ headers }: VendorRequest): Promise<NeonAccount | undefined> {
  const name = /^Bearer sandbox-([\x21-\x7e]{1,200})$/.exec(headers.authorization ?? "")?.[1];
  if (name === undefined || name.startsWith("refused")) return undefined;
  const [, kind, rest] = /^(org|solo|several)-(.+)$/.exec(name) ?? [];
  if (rest === undefined) return personAccount(name, [organizationOf(name)]);
  if (kind === "solo") return personAccount(rest, []);
  if (kind === "several") return personAccount(rest, [organizationOf(rest), organizationOf(`${rest}-2`)]);
  const id = organizationOf(rest);
  return {
    keyType: "organization",
    id,
    name: rest,
    organizations: [id],
    canAddProject: canAddProject(rest),
    isOnFreePlan: isOnFreePlan(rest),
  };
}

function personAccount(name: string, organizations: readonly string[]): NeonAccount {
  return {
    keyType: "person",
    id: `user-${idPart(name)}`,
    name,
    organizations,
    canAddProject: canAddProject(name),
    isOnFreePlan: isOnFreePlan(name),
  };
}

function canAddProject(name: string): boolean {
  return !name.startsWith("full");
}

function isOnFreePlan(name: string): boolean {
  return name.startsWith("free");
}

function organizationOf(name: string): string {
  return `org-${idPart(name)}`;
}

/** Returns the name if it can be part of an ID, otherwise its hash. */
function idPart(name: string): string {
  if (/^[a-z0-9-]{1,40}$/.test(name)) return name;
  return `x-${createHash("sha256").update(name).digest("hex").slice(0, 24)}`;
}

/** Returns the request's account, as returned by `authenticate`. */
export function accountOf({ caller, operation }: VendorRequest): NeonAccount {
  if (!isAccount(caller)) throw new TypeError(`${operation} requires a caller`);
  return caller;
}

function isAccount(caller: unknown): caller is NeonAccount {
  return typeof caller === "object" && caller !== null && "keyType" in caller;
}

/**
 * Returns the ID of the account or organization that owns the requested projects, or an error response. As in Neon's
 * API, a user in an organization must pass an `org_id`.
 */
export function resolveOwner(account: NeonAccount, organizationId: unknown): string | VendorResponse {
  if (typeof organizationId === "string") {
    return account.organizations.includes(organizationId) ? organizationId : neonError(404, "organization not found");
  }
  if (account.keyType === "person" && account.organizations.length > 0) {
    return neonError(400, "org_id is required, you can find it on your organization settings page");
  }
  return account.id;
}

/** Returns the error for an organization's key in a call that requires a user's key. */
export function notForOrganizations(): VendorResponse {
  return neonError(404, "not allowed for organization API keys");
}

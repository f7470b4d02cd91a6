import { createHash } from "node:crypto";
import type { VendorAnswer, VendorRequest } from "../kit/vendor-simulator.ts";
import { neonError } from "./neon-errors.ts";

/** Whom an API key stands for. */
export interface NeonAccount {
  readonly keyOf: "person" | "organization";
  /** The person's id, or the organization's. */
  readonly id: string;
  readonly name: string;
  /** The organizations that the key opens. */
  readonly organizations: readonly string[];
  /** Whether it may have another project. */
  readonly hasRoom: boolean;
}

/**
 * The account behind the bearer token. `sandbox-NAME` is the key of a person in one organization, and `sandbox-org-NAME`
 * the key of that organization itself.
 */
export async function authenticate({ headers }: VendorRequest): Promise<NeonAccount | undefined> {
  const name = /^Bearer sandbox-([\x21-\x7e]{1,200})$/.exec(headers.authorization ?? "")?.[1];
  if (name === undefined || name.startsWith("refused")) return undefined;
  const [, kind, rest] = /^(org|solo|several)-(.+)$/.exec(name) ?? [];
  if (rest === undefined) return personOf(name, [organizationOf(name)]);
  if (kind === "solo") return personOf(rest, []);
  if (kind === "several")
    return personOf(rest, [organizationOf(rest), organizationOf(`${rest}-2`)]);
  const id = organizationOf(rest);
  return { keyOf: "organization", id, name: rest, organizations: [id], hasRoom: hasRoom(rest) };
}

function personOf(name: string, organizations: readonly string[]): NeonAccount {
  return {
    keyOf: "person",
    id: `user-${idPart(name)}`,
    name,
    organizations,
    hasRoom: hasRoom(name),
  };
}

function hasRoom(name: string): boolean {
  return !name.startsWith("full");
}

function organizationOf(name: string): string {
  return `org-${idPart(name)}`;
}

/** The name where it can stand in an id as it is, or else what always stands for it. */
function idPart(name: string): string {
  if (/^[a-z0-9-]{1,40}$/.test(name)) return name;
  return `x-${createHash("sha256").update(name).digest("hex").slice(0, 24)}`;
}

/** The account that `authenticate` found. */
export function accountOf({ caller, operation }: VendorRequest): NeonAccount {
  if (!isAccount(caller)) throw new TypeError(`${operation} was handled without a caller`);
  return caller;
}

function isAccount(caller: unknown): caller is NeonAccount {
  return typeof caller === "object" && caller !== null && "keyOf" in caller;
}

/**
 * Whose projects a call is about: the organization it names, or the one that the key can only mean. As at Neon, a person
 * who is in an organization has to name one.
 */
export function ownerOf(account: NeonAccount, named: unknown): string | VendorAnswer {
  if (typeof named === "string") {
    return account.organizations.includes(named) ? named : neonError(404, "organization not found");
  }
  if (account.keyOf === "person" && account.organizations.length > 0) {
    return neonError(400, "org_id is required, you can find it on your organization settings page");
  }
  return account.id;
}

/** What Neon answers an organization's key that asks for something of a person's. */
export function notForOrganizations(): VendorAnswer {
  return neonError(404, "not allowed for organization API keys");
}

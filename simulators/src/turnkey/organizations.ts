import type { VendorContext, VendorRequest } from "../kit/vendor-simulator.ts";
import { p256KeyPairOf } from "./p256-key.ts";

/** An API key, and whose it is. Its public half is its id. */
export interface TurnkeyUser {
  readonly organizationId: string;
  readonly organizationName: string;
  /** The organization that this one belongs to; null where it is nobody's. */
  readonly parentId: string | null;
  readonly userId: string;
  readonly username: string;
}

interface KeptUser extends TurnkeyUser {
  /** As they are kept in our vault, ready to be copied off the control page. */
  readonly credentials: TurnkeyCredentials;
}

export type TurnkeyCredentials = {
  readonly organization_id: string;
  readonly api_public_key: string;
  readonly api_private_key: string;
};

const ACME_ID = "4f6c1a52-0d3e-4b8a-9c57-2e1d7a90b3c4";
const USERS: readonly TurnkeyUser[] = [
  {
    organizationId: ACME_ID,
    organizationName: "Acme",
    parentId: null,
    userId: "b0a7c9de-51f2-4c06-8f3a-6d2e4b17a890",
    username: "Acme's server",
  },
  {
    organizationId: "9d20e7b6-8c41-4f5d-a3e9-70c5b1f2d684",
    organizationName: "Acme's customer",
    parentId: ACME_ID,
    userId: "c15e3f80-27ab-4d94-b6d1-98f04a3c7e52",
    username: "A customer's device",
  },
];

/** The organization, its sub-organization, and a key of each: the same ones after every start. */
export async function foundOrganizations({
  objects,
}: Pick<VendorContext, "objects">): Promise<void> {
  for (const user of USERS) {
    const credentials = credentialsOf(user);
    const data: KeptUser = { ...user, credentials };
    const id = credentials.api_public_key;
    await objects.insert({ type: "api_key", id, state: "active", data });
  }
}

/** What a key check can be made with: the organization's own, and a pair that no organization knows. */
export function turnkeyCredentials(): {
  readonly credentials: TurnkeyCredentials;
  readonly refusedCredentials: TurnkeyCredentials;
} {
  const stranger = p256KeyPairOf("turnkey sandbox: nobody");
  return {
    credentials: credentialsOf({ organizationId: ACME_ID }),
    refusedCredentials: {
      organization_id: ACME_ID,
      api_public_key: stranger.publicKey,
      api_private_key: stranger.privateKey,
    },
  };
}

/** Whose key it is. */
export async function userOfKey(
  publicKey: string,
  { objects }: VendorContext,
): Promise<TurnkeyUser | undefined> {
  const found = await objects.find<KeptUser>("api_key", publicKey);
  return found?.state === "active" ? found.data : undefined;
}

/** The user whom the stamp named. */
export function callerOf({ caller, operation }: VendorRequest): TurnkeyUser {
  if (!isUser(caller)) throw new TypeError(`${operation} was handled without a caller`);
  return caller;
}

function isUser(caller: unknown): caller is TurnkeyUser {
  return typeof caller === "object" && caller !== null && "organizationId" in caller;
}

function credentialsOf({
  organizationId,
}: Pick<TurnkeyUser, "organizationId">): TurnkeyCredentials {
  const { publicKey, privateKey } = p256KeyPairOf(`turnkey sandbox: ${organizationId}`);
  return {
    organization_id: organizationId,
    api_public_key: publicKey,
    api_private_key: privateKey,
  };
}

import type { VendorContext, VendorRequest } from "../kit/vendor-simulator.ts";
import { deriveP256KeyPair } from "./p256-key.ts";

/** The user that owns an API key. It is stored as an object whose ID is the public key. */
export interface TurnkeyUser {
  readonly organizationId: string;
  readonly organizationName: string;
  /** The ID of the parent organization. Null for a top-level organization. */
  readonly parentId: string | null;
  readonly userId: string;
  readonly username: string;
  /** Whether another user must approve each signature. */
  readonly signsAfterApproval: boolean;
}

interface StoredUser extends TurnkeyUser {
  /** `credentials` for Purser's `PUT /provider-keys`. The control page shows them to users. */
  readonly credentials: TurnkeyCredentials;
}

export type TurnkeyCredentials = {
  readonly organization_id: string;
  readonly api_public_key: string;
  readonly api_private_key: string;
};

const ACME_ID = "4f6c1a52-0d3e-4b8a-9c57-2e1d7a90b3c4";
const CUSTOMER_ID = "9d20e7b6-8c41-4f5d-a3e9-70c5b1f2d684";
const USERS: readonly TurnkeyUser[] = [
  {
    organizationId: ACME_ID,
    organizationName: "Acme",
    parentId: null,
    userId: "b0a7c9de-51f2-4c06-8f3a-6d2e4b17a890",
    username: "Acme's server",
    signsAfterApproval: false,
  },
  {
    organizationId: CUSTOMER_ID,
    organizationName: "Acme's customer",
    parentId: ACME_ID,
    userId: "c15e3f80-27ab-4d94-b6d1-98f04a3c7e52",
    username: "A customer's device",
    signsAfterApproval: true,
  },
];

/** Creates an API key for an organization and one for its sub-organization. The keys are the same on every start. */
export async function createOrganizations({ objects }: Pick<VendorContext, "objects">): Promise<void> {
  for (const user of USERS) {
    const credentials = credentialsOf(user);
    const data: StoredUser = { ...user, credentials };
    const id = credentials.api_public_key;
    await objects.insert({ type: "api_key", id, state: "active", data });
  }
}

/**
 * Returns the credentials of the organization and of its sub-organization, whose signatures another user must approve, and
 * credentials with a key pair that is not registered.
 */
export function turnkeyCredentials(): {
  readonly credentials: TurnkeyCredentials;
  readonly approvedCredentials: TurnkeyCredentials;
  readonly refusedCredentials: TurnkeyCredentials;
} {
  const unregistered = deriveP256KeyPair("turnkey sandbox: unregistered");
  return {
    credentials: credentialsOf({ organizationId: ACME_ID }),
    approvedCredentials: credentialsOf({ organizationId: CUSTOMER_ID }),
    refusedCredentials: {
      organization_id: ACME_ID,
      api_public_key: unregistered.publicKey,
      api_private_key: unregistered.privateKey,
    },
  };
}

/** Returns the owner of a public key, or undefined if the key is unknown or inactive. */
export async function findUserByKey(publicKey: string, { objects }: VendorContext): Promise<TurnkeyUser | undefined> {
  const found = await objects.find<StoredUser>("api_key", publicKey);
  return found?.state === "active" ? found.data : undefined;
}

/** Returns the request's user, as returned by `verifyStamp`. */
export function callerOf({ caller, operation }: VendorRequest): TurnkeyUser {
  if (!isUser(caller)) throw new TypeError(`${operation} requires a caller`);
  return caller;
}

function isUser(caller: unknown): caller is TurnkeyUser {
  return typeof caller === "object" && caller !== null && "organizationId" in caller;
}

function credentialsOf({ organizationId }: Pick<TurnkeyUser, "organizationId">): TurnkeyCredentials {
  const { publicKey, privateKey } = deriveP256KeyPair(`turnkey sandbox: ${organizationId}`);
  return {
    organization_id: organizationId,
    api_public_key: publicKey,
    api_private_key: privateKey,
  };
}

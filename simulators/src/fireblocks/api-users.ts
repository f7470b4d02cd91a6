import { createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { VendorContext } from "../kit/vendor-simulator.ts";

const API_KEY = "7e0b9a1c-64d2-4f18-b5c3-0a9d8e7f6b21";
const UNKNOWN_API_KEY = "00000000-0000-4000-8000-000000000000";
const RSA_BITS = 2_048;

export type FireblocksCredentials = {
  readonly api_key: string;
  /** RSA private key in PKCS #8 PEM format. */
  readonly api_secret_pem: string;
};

interface ApiUser {
  readonly name: string;
  /** `credentials` for Purser's `PUT /provider-keys`. The control page shows them to users. */
  readonly credentials: FireblocksCredentials;
}

/** Creates an API user with a key when the sandbox starts for the first time. */
export async function addApiUser({ objects }: Pick<VendorContext, "objects">): Promise<void> {
  if (await objects.find("api_user", API_KEY)) return;
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: RSA_BITS });
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  const credentials = { api_key: API_KEY, api_secret_pem: pem };
  const data: ApiUser = { name: "Acme's server", credentials };
  await objects.insert({ type: "api_user", id: API_KEY, state: "active", data });
}

/** Returns the API user's credentials, and the same credentials with an unknown API key. */
export async function fireblocksCredentials({ objects }: Pick<VendorContext, "objects">): Promise<{
  readonly credentials: FireblocksCredentials;
  readonly refusedCredentials: FireblocksCredentials;
}> {
  const user = await objects.find<ApiUser>("api_user", API_KEY);
  if (user === undefined) throw new Error("The API user is missing. addApiUser creates it.");
  const { credentials } = user.data;
  return { credentials, refusedCredentials: { ...credentials, api_key: UNKNOWN_API_KEY } };
}

/** Returns the public key of an API user, or undefined if the user is unknown or inactive. */
export async function findPublicKey(apiKey: string, { objects }: VendorContext): Promise<KeyObject | undefined> {
  const user = await objects.find<ApiUser>("api_user", apiKey);
  return user?.state === "active" ? createPublicKey(user.data.credentials.api_secret_pem) : undefined;
}

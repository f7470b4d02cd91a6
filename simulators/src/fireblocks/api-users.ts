import { createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { VendorContext } from "../kit/vendor-simulator.ts";

const API_KEY = "7e0b9a1c-64d2-4f18-b5c3-0a9d8e7f6b21";
const STRANGERS_API_KEY = "00000000-0000-4000-8000-000000000000";
const RSA_BITS = 2_048;

export type FireblocksCredentials = {
  readonly api_key: string;
  /** RSA, PKCS #8. */
  readonly api_secret_pem: string;
};

interface ApiUser {
  readonly name: string;
  /** As they are kept in our vault, ready to be copied off the control page. */
  readonly credentials: FireblocksCredentials;
}

/** An API user, whose key is made when the sandbox is started for the first time. */
export async function addApiUser({ objects }: Pick<VendorContext, "objects">): Promise<void> {
  if (await objects.find("api_user", API_KEY)) return;
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: RSA_BITS });
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  const credentials = { api_key: API_KEY, api_secret_pem: pem };
  const data: ApiUser = { name: "Acme's server", credentials };
  await objects.insert({ type: "api_user", id: API_KEY, state: "active", data });
}

/** What a key check can be made with: the API user's own, and an API key that is nobody's. */
export async function fireblocksCredentials({ objects }: Pick<VendorContext, "objects">): Promise<{
  readonly credentials: FireblocksCredentials;
  readonly refusedCredentials: FireblocksCredentials;
}> {
  const user = await objects.find<ApiUser>("api_user", API_KEY);
  if (user === undefined) throw new Error("The API user is made before anybody asks.");
  const { credentials } = user.data;
  return { credentials, refusedCredentials: { ...credentials, api_key: STRANGERS_API_KEY } };
}

/** What the API user's tokens are verified with. */
export async function publicKeyOf(
  apiKey: string,
  { objects }: VendorContext,
): Promise<KeyObject | undefined> {
  const user = await objects.find<ApiUser>("api_user", apiKey);
  return user?.state === "active"
    ? createPublicKey(user.data.credentials.api_secret_pem)
    : undefined;
}

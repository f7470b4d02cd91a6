import { createHash, generateKeyPair, randomUUID, sign } from "node:crypto";
import { promisify } from "node:util";
import type { StoredObject } from "../kit/object-store.ts";
import type { SendWebhook, VendorContext } from "../kit/vendor-simulator.ts";
import { type BridgeEvents, type OfAccount, OPERATOR_KEYS } from "./bridge-route.ts";
import { KYC_LINK, kycLinkObject } from "./kyc-links.ts";
import { TRANSFER, transferObject } from "./transfers.ts";

const ENDPOINT = "webhook_endpoint";
const RSA_BITS = 2_048;

const PRESENTERS: Readonly<Record<string, (object: StoredObject<never>, baseUrl: string) => object>> = {
  [KYC_LINK]: kycLinkObject,
  [TRANSFER]: transferObject,
};

/** The webhook endpoint of an account, whose id is the account's API key. The keys are in PEM format. */
interface Endpoint {
  readonly publicKey: string;
  readonly secret: { readonly privateKey: string };
}

/** Creates the operator's webhook endpoints when the sandbox starts for the first time. */
export async function addWebhookEndpoints({ objects }: Pick<VendorContext, "objects">): Promise<void> {
  const add = async (id: string) => {
    if (await objects.find(ENDPOINT, id)) return;
    const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
      modulusLength: RSA_BITS,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const data: Endpoint = { publicKey, secret: { privateKey } };
    await objects.insert({ type: ENDPOINT, id, state: "active", data });
  };
  await Promise.all(Object.values(OPERATOR_KEYS).map(add));
}

/** Returns the key that verifies the webhooks of an account of the operator, in PEM format. */
export async function webhookPublicKey({ objects }: Pick<VendorContext, "objects">, apiKey: string): Promise<string> {
  return (await objects.find<Endpoint>(ENDPOINT, apiKey))?.data.publicKey ?? "";
}

/** Creates the sender of signed events. Lost events are not sent again. */
export function createEvents(send: SendWebhook | undefined): BridgeEvents {
  return {
    emit: async ({ objects, now, baseUrl }, type, objectId) => {
      const eventId = `wh_${randomUUID().replaceAll("-", "").slice(0, 22)}`;
      const [category = ""] = type.split(".");
      const object = await objects.find<OfAccount>(category, objectId);
      const endpoint = await objects.find<Endpoint>(ENDPOINT, object?.data.account ?? "");
      if (object === undefined || endpoint === undefined || send === undefined) return eventId;
      const body = JSON.stringify({
        api_version: "v0",
        event_id: eventId,
        event_category: category,
        event_type: type,
        event_object_id: objectId,
        event_object_status: object.state,
        event_object: PRESENTERS[category]?.(object as StoredObject<never>, baseUrl),
        event_object_changes: {},
        event_created_at: now().toISOString(),
      });
      const time = now().getTime();
      const signature = signatureOf(`${time}.${body}`, endpoint.data.secret.privateKey);
      const headers = { "content-type": "application/json", "x-webhook-signature": `t=${time},v0=${signature}` };
      void send({ vendor: "bridge", body, headers }).catch(() => {});
      return eventId;
    },
  };
}

/** Bridge signs the digest of the data, which the signature's algorithm digests again. */
function signatureOf(data: string, privateKey: string): string {
  return sign("sha256", createHash("sha256").update(data).digest(), privateKey).toString("base64");
}

import { hash, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { Type } from "typebox";
import type { ObjectStore, StoredObject } from "../kit/object-store.ts";
import type { SendWebhook } from "../kit/vendor-simulator.ts";
import { accountsOf, type ItemData, type StoredItem } from "./items.ts";
import { errorFields, LOGIN_REQUIRED, PlaidApiError } from "./plaid-errors.ts";
import { type PlaidEvents, type PlaidEventType, REPORTS } from "./plaid-events.ts";
import { type PlaidMode, plaidRoute } from "./plaid-route.ts";
import type { ScreeningData } from "./screening-routes.ts";

/** Creates the sender of signed webhooks. Lost webhooks are not sent again. */
export function createEvents(send: SendWebhook | undefined): PlaidEvents {
  return {
    emit: async ({ objects, now }, type, objectId) => {
      const { objectType, state } = REPORTS[type];
      const object = await objects.find<ItemData | ScreeningData>(objectType, objectId);
      if (object === undefined || object.state === "removed") return "";
      if (objectType === "item") await objects.update("item", objectId, { state });
      else await objects.claim(objectType, objectId, "pending_review", state);
      const body = JSON.stringify(contentOf(type, { ...object, state }), null, 2);
      const bodyHash = hash("sha256", body, "hex");
      const issuedAt = Math.floor(now().getTime() / 1_000);
      const isWanted = !("webhook" in object.data && object.data.webhook === null);
      if (send !== undefined && isWanted) {
        const token = await sign(await getKey(objects, object.data.mode), { bodyHash, issuedAt });
        const headers = { "content-type": "application/json", "plaid-verification": token };
        void send({ vendor: "plaid", body, headers }).catch(() => {});
      }
      return hash("sha256", `${bodyHash}.${issuedAt}`, "hex");
    },
  };
}

function contentOf(type: PlaidEventType, object: StoredObject<ItemData | ScreeningData>) {
  const [webhook_type, webhook_code] = type.split(".");
  const common = {
    ...{ webhook_type, webhook_code, [REPORTS[type].idField]: object.id },
    environment: object.data.mode === "live" ? "production" : "sandbox",
  };
  if (webhook_type === "ITEM") return { ...common, error: type === "ITEM.ERROR" ? errorFields(LOGIN_REQUIRED) : null };
  if (webhook_type !== "AUTH") return common;
  return { ...common, account_id: accountsOf(object as StoredItem)[0]?.account_id };
}

function sign(
  key: JWK,
  { bodyHash, issuedAt }: { readonly bodyHash: string; readonly issuedAt: number },
): Promise<string> {
  return importJWK(key, "ES256").then((privateKey) =>
    new SignJWT({ request_body_sha256: bodyHash })
      .setProtectedHeader({ alg: "ES256", kid: key.kid ?? "", typ: "JWT" })
      .setIssuedAt(issuedAt)
      .sign(privateKey),
  );
}

interface StoredKey {
  readonly secret: { readonly privateKey: JWK };
}

/** Returns the signing key of the mode's environment. It is created on the first call. */
async function getKey(objects: ObjectStore, mode: PlaidMode): Promise<JWK> {
  const stored = await objects.find<StoredKey>("webhook_key", mode);
  if (stored !== undefined) return stored.data.secret.privateKey;
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomUUID() };
  await objects.insert({ type: "webhook_key", id: mode, state: "active", data: { secret: { privateKey: key } } });
  // Another call may have stored its key first.
  return getKey(objects, mode);
}

export const verificationKeyRoute = plaidRoute({
  operation: "webhookVerificationKeyGet",
  url: "/webhook_verification_key/get",
  body: { key_id: Type.String({ minLength: 1 }) },
  handle: async ({ body, mode, objects, now }) => {
    const { kty, crv, x, y, kid } = await getKey(objects, mode);
    if (kid !== body.key_id) {
      throw new PlaidApiError("INVALID_INPUT", "INVALID_WEBHOOK_VERIFICATION_KEY_ID", "invalid key_id provided");
    }
    const created_at = Math.floor(now().getTime() / 1_000);
    return { key: { ...{ kty, crv, x, y, kid }, alg: "ES256", use: "sig", created_at, expired_at: null } };
  },
});

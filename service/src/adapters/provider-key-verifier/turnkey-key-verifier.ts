import { createECDH, createPrivateKey, sign } from "node:crypto";
import { Type } from "typebox";
import type { KeyCheckResult, ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { vendorApi } from "../http-client/vendor-client.ts";
import { createKeyVerifier, failed, type KeyCheck, type KeyVerifierOptions, textOf, VERIFIED } from "./key-check.ts";

const API_URL = "https://api.turnkey.com";
const CURVE = "prime256v1";

const WhoamiResponse = Type.Object({ organizationId: Type.String() });

/**
 * Checks a Turnkey API key by reading the organization it belongs to
 * (https://docs.turnkey.com/api-reference/queries/who-am-i). Supports P-256 keys, which are Turnkey's default.
 */
export function createTurnkeyKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const vendor = { provider: "turnkey", name: "Turnkey", apiUrls: [API_URL], urlField: "base_url" } as const;
  return createKeyVerifier({ ...vendor, required: "organization_id", check }, options);
}

async function check({ client, required: organizationId, credentials, secrets }: KeyCheck): Promise<KeyCheckResult> {
  const key = readKeyPair(credentials);
  if ("status" in key) return key;

  const body = { organizationId };
  // The signed text must equal the request body, which the client also serializes with JSON.stringify.
  const turnkey = vendorApi(client, { "x-stamp": key.stamp(JSON.stringify(body)) });
  const path = "/public/v1/query/whoami";
  const response = await turnkey.post("PublicApiService_GetWhoami", path, WhoamiResponse, { body, secrets });
  return response.organizationId === organizationId
    ? VERIFIED
    : failed("These keys belong to a different organization than organization_id.");
}

function readKeyPair(credentials: ProviderCredentials): TurnkeyApiKey | KeyCheckResult {
  const key = readApiKey(textOf(credentials, "api_private_key") ?? "");
  if (key === undefined) {
    return failed("api_private_key is not a P-256 private key in hexadecimal.");
  }
  return textOf(credentials, "api_public_key")?.toLowerCase() === key.publicKey
    ? key
    : failed("api_public_key does not match api_private_key.");
}

interface TurnkeyApiKey {
  /** The compressed point in lowercase hexadecimal. */
  readonly publicKey: string;
  /** Returns the `X-Stamp` header for a request with exactly this body. */
  stamp(body: string): string;
}

/** Parses a P-256 private key in hexadecimal, as Turnkey displays it. Returns undefined if it is invalid. */
function readApiKey(privateKey: string): TurnkeyApiKey | undefined {
  if (!/^[0-9a-f]{64}$/i.test(privateKey)) return undefined;
  const curve = createECDH(CURVE);
  try {
    curve.setPrivateKey(privateKey, "hex");
  } catch {
    // The private key is zero, or is not less than the curve's order.
    return undefined;
  }
  const publicKey = curve.getPublicKey("hex", "compressed");
  // The first byte, which marks an uncompressed point, is removed. Each coordinate is 32 bytes long.
  const point = curve.getPublicKey().subarray(1);
  const key = createPrivateKey({
    key: {
      kty: "EC",
      crv: "P-256",
      d: Buffer.from(privateKey, "hex").toString("base64url"),
      x: point.subarray(0, 32).toString("base64url"),
      y: point.subarray(32).toString("base64url"),
    },
    format: "jwk",
  });
  return {
    publicKey,
    stamp: (body) => {
      const signature = sign("sha256", Buffer.from(body), { key, dsaEncoding: "der" });
      const stamp = {
        publicKey,
        scheme: "SIGNATURE_SCHEME_TK_API_P256",
        signature: signature.toString("hex"),
      };
      return Buffer.from(JSON.stringify(stamp)).toString("base64url");
    },
  };
}

import { setTimeout } from "node:timers/promises";
import * as Address from "ox/Address";
import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { NO_RETRY } from "../../foundation/retry.ts";
import type { ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import type { HexBytes, OpenAccountSigner } from "../../ports/wallet-signer.ts";
import { readApiKey, type TurnkeyApiKey } from "../http-client/turnkey-api-key.ts";
import { createVendorClient, type VendorClient, VendorId, vendorApi } from "../http-client/vendor-client.ts";

const VENDOR = "turnkey";
/** How long the end of an activity is awaited by a request, which creates a key, and by a job, which also sends for others. */
const CREATED_WITHIN_MS = 10_000;
const SIGNED_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 250;
const RUNNING = ["ACTIVITY_STATUS_CREATED", "ACTIVITY_STATUS_PENDING"];
const ENDED_WITHOUT_RESULT = ["ACTIVITY_STATUS_FAILED", "ACTIVITY_STATUS_REJECTED"];

const ActivityResponse = Type.Object({
  activity: Type.Object({
    ...{ id: VendorId, organizationId: Type.String(), type: Type.String() },
    status: Type.String({ pattern: "^ACTIVITY_STATUS_[A-Z_]{1,50}$" }),
    result: Type.Unknown(),
  }),
});
type Activity = Static<typeof ActivityResponse>["activity"];

const Word = Type.String({ pattern: "^[0-9a-fA-F]{64}$" });
const WalletResult = Type.Object({ createWalletResult: Type.Object({ walletId: VendorId }) });
const AccountResult = Type.Object({
  createWalletAccountsResult: Type.Object({
    addresses: Type.Tuple([Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" })]),
  }),
});
const SignatureResult = Type.Object({
  signRawPayloadResult: Type.Object({ r: Word, s: Word, v: Type.String({ pattern: "^0[01]$" }) }),
});

interface Submission<Result extends TSchema> {
  /** The call's name in Turnkey's API description. */
  readonly operation: string;
  readonly path: string;
  readonly type: string;
  readonly parameters: object;
  readonly requestedAt: Date;
  readonly result: Result;
  readonly withinMs?: number;
}

/**
 * Opens signers whose keys are at Turnkey, as accounts of HD wallets (https://docs.turnkey.com/concepts/wallets). Turnkey takes
 * requests with the same body for the same activity. An activity that another user must approve fails with `unknown` until then.
 */
export function createTurnkeySigners({
  apiUrl,
  timeoutMs,
}: {
  readonly apiUrl: string;
  readonly timeoutMs: number;
}): OpenAccountSigner {
  return (credentials) => {
    const submit = submitter(credentials, { apiUrl, timeoutMs });
    return {
      createWallet: async (walletName, requestedAt) => {
        const { createWalletResult } = await submit({
          ...{ operation: "PublicApiService_CreateWallet", path: "create_wallet", type: "ACTIVITY_TYPE_CREATE_WALLET" },
          ...{ parameters: { walletName, accounts: [] }, requestedAt, result: WalletResult },
        });
        return createWalletResult.walletId;
      },
      createAccount: async ({ walletId, index, requestedAt }) => {
        const account = {
          ...{ curve: "CURVE_SECP256K1", pathFormat: "PATH_FORMAT_BIP32", path: `m/44'/60'/0'/0/${index}` },
          addressFormat: "ADDRESS_FORMAT_ETHEREUM",
        };
        const { createWalletAccountsResult } = await submit({
          ...{ operation: "PublicApiService_CreateWalletAccounts", path: "create_wallet_accounts" },
          type: "ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS",
          ...{ parameters: { walletId, accounts: [account] }, requestedAt, result: AccountResult },
        });
        return Address.checksum(createWalletAccountsResult.addresses[0] as HexBytes);
      },
      signDigest: async ({ address }, digest, requestedAt) => {
        const { signRawPayloadResult } = await submit({
          ...{ operation: "PublicApiService_SignRawPayload", path: "sign_raw_payload" },
          type: "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2",
          parameters: {
            ...{ signWith: address, payload: digest.slice(2), encoding: "PAYLOAD_ENCODING_HEXADECIMAL" },
            hashFunction: "HASH_FUNCTION_NO_OP",
          },
          ...{ requestedAt, result: SignatureResult, withinMs: SIGNED_WITHIN_MS },
        });
        const { r, s, v } = signRawPayloadResult;
        return `0x${r}${s}${v === "00" ? "1b" : "1c"}`.toLowerCase() as HexBytes;
      },
    };
  };
}

/** Returns a function that submits an activity, waits for its end and returns its result. */
function submitter(credentials: ProviderCredentials, options: { readonly apiUrl: string; readonly timeoutMs: number }) {
  const { organizationId, baseUrl, key } = readCredentials(credentials, options.apiUrl);
  const client = createVendorClient({ vendor: VENDOR, baseUrl, timeoutMs: options.timeoutMs, readRetry: NO_RETRY });
  const post = (operation: string, path: string, body: object) => stampedPost(client, key, { operation, path, body });

  return async <Result extends TSchema>(submission: Submission<Result>): Promise<Static<Result>> => {
    const { operation, path, type, parameters, requestedAt, result, withinMs = CREATED_WITHIN_MS } = submission;
    const endMs = performance.now() + withinMs;
    const body = { type, timestampMs: String(requestedAt.getTime()), organizationId, parameters };
    let activity = await post(operation, `/public/v1/submit/${path}`, body);
    const { id } = activity;
    while (RUNNING.includes(activity.status) && performance.now() < endMs) {
      await setTimeout(LOOK_EVERY_MS);
      const wanted = { organizationId, activityId: id };
      activity = await post("PublicApiService_GetActivity", "/public/v1/query/get_activity", wanted);
    }
    const isSame = activity.id === id && activity.organizationId === organizationId && activity.type === type;
    if (!isSame) throw errorOf("unknown", operation, "the response describes another activity");
    return resultOf(activity, operation, result);
  };
}

function resultOf<Result extends TSchema>(activity: Activity, operation: string, schema: Result): Static<Result> {
  const { status, result } = activity;
  if (status === "ACTIVITY_STATUS_COMPLETED" && Check(schema, result)) return result;
  throw errorOf(ENDED_WITHOUT_RESULT.includes(status) ? "refused" : "unknown", operation, `the activity is ${status}`);
}

async function stampedPost(
  client: VendorClient,
  key: TurnkeyApiKey,
  { operation, path, body }: { readonly operation: string; readonly path: string; readonly body: object },
): Promise<Activity> {
  // The signed text must equal the request body, which the client also serializes with JSON.stringify.
  const api = vendorApi(client, { "x-stamp": key.stamp(JSON.stringify(body)) });
  return (await api.post(operation, path, ActivityResponse, { body })).activity;
}

function readCredentials(credentials: ProviderCredentials, apiUrl: string) {
  const textOf = (field: string) => `${credentials[field] ?? ""}`;
  const key = readApiKey(textOf("api_private_key"));
  if (key === undefined) throw errorOf("unauthorized", "readApiKey", "api_private_key is not a P-256 private key");
  return { organizationId: textOf("organization_id"), baseUrl: textOf("base_url").replace(/\/$/, "") || apiUrl, key };
}

function errorOf(failure: "refused" | "unauthorized" | "unknown", operation: string, vendorMessage: string) {
  return new VendorError(failure, { vendor: VENDOR, operation, vendorMessage });
}

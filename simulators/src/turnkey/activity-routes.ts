import { type Static, type TProperties, Type } from "typebox";
import { Parse } from "typebox/value";
import type { VendorContext, VendorRoute } from "../kit/vendor-simulator.ts";
import { presentActivity, runActivity } from "./activities.ts";
import { callerOf } from "./organizations.ts";
import { verifyStamp } from "./stamp.ts";
import { turnkeyError } from "./turnkey-errors.ts";
import { addAccounts, createWallet, signPayload } from "./wallets.ts";

const Text = Type.String({ minLength: 1, maxLength: 500 });

function closed<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Accounts of Ethereum. There are no others. */
const Accounts = Type.Array(
  closed({
    curve: Type.Literal("CURVE_SECP256K1"),
    pathFormat: Type.Literal("PATH_FORMAT_BIP32"),
    path: Type.String({ pattern: "^m/44'/60'(/\\d{1,9}'?){1,3}$" }),
    addressFormat: Type.Literal("ADDRESS_FORMAT_ETHEREUM"),
  }),
  { maxItems: 100 },
);

interface ActivityKind<Parameters extends TProperties> {
  readonly operation: string;
  readonly url: string;
  readonly type: string;
  /** The names of what is asked for and of the result in an activity. */
  readonly intent: string;
  readonly result: string;
  readonly parameters: Parameters;
  execute(
    context: VendorContext,
    parameters: Static<ReturnType<typeof closed<Parameters>>> & { readonly organizationId: string },
  ): Promise<object>;
}

function activityRoute<Parameters extends TProperties>(kind: ActivityKind<Parameters>): VendorRoute {
  const { type, intent, result } = kind;
  const ParametersSchema = closed(kind.parameters);
  const Body = closed({
    ...{ type: Type.Literal(type), organizationId: Text, parameters: ParametersSchema },
    timestampMs: Type.String({ pattern: "^\\d{13}$" }),
  });
  return {
    ...{ operation: kind.operation, method: "POST", url: kind.url, body: Body, auth: verifyStamp },
    handle: async (request, context) => {
      const { organizationId, parameters } = Object(request.body);
      const { signsAfterApproval, ...caller } = callerOf(request);
      if (organizationId !== caller.organizationId) {
        return turnkeyError("NOT_FOUND", `organization ${organizationId} not found`);
      }
      return runActivity(request, context, {
        ...{ type, intent: { [intent]: parameters } },
        needsApproval: signsAfterApproval && type === SIGN,
        execute: async () => {
          const wanted = { ...Parse(ParametersSchema, parameters), organizationId };
          return { [result]: await kind.execute(context, wanted) };
        },
      });
    },
  };
}

const SIGN = "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2";

/** The calls that create wallets and accounts, sign with them, and read what has become of a call. */
export const activityRoutes: readonly VendorRoute[] = [
  activityRoute({
    ...{ operation: "PublicApiService_CreateWallet", url: "/public/v1/submit/create_wallet" },
    ...{ type: "ACTIVITY_TYPE_CREATE_WALLET", intent: "createWalletIntent", result: "createWalletResult" },
    parameters: { walletName: Text, accounts: Accounts },
    execute: createWallet,
  }),
  activityRoute({
    ...{ operation: "PublicApiService_CreateWalletAccounts", url: "/public/v1/submit/create_wallet_accounts" },
    ...{ type: "ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS", intent: "createWalletAccountsIntent" },
    result: "createWalletAccountsResult",
    parameters: { walletId: Text, accounts: Accounts },
    execute: addAccounts,
  }),
  activityRoute({
    ...{ operation: "PublicApiService_SignRawPayload", url: "/public/v1/submit/sign_raw_payload" },
    ...{ type: SIGN, intent: "signRawPayloadIntentV2", result: "signRawPayloadResult" },
    parameters: {
      ...{ signWith: Text, payload: Text },
      encoding: Type.Literal("PAYLOAD_ENCODING_HEXADECIMAL"),
      hashFunction: Type.Literal("HASH_FUNCTION_NO_OP"),
    },
    execute: signPayload,
  }),
  {
    operation: "PublicApiService_GetActivity",
    ...{ method: "POST", url: "/public/v1/query/get_activity" },
    ...{ body: closed({ organizationId: Text, activityId: Text }), auth: verifyStamp },
    handle: (request, context) => presentActivity(request, context, Object(request.body).activityId),
  },
];

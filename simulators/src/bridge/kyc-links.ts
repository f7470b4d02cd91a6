import { Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import { BridgeApiError, bridgeErrors, invalidField } from "./bridge-errors.ts";
import { type BridgeCall, bridgeRoute, closed, findOwn, insertOwn, type OfAccount } from "./bridge-route.ts";

export const KYC_LINK = "kyc_link";

interface KycLinkData extends OfAccount {
  readonly customerId: string;
  readonly type: "individual" | "business";
  readonly tosStatus: "pending" | "approved";
  readonly secret: { readonly fullName: string; readonly email: string };
}
/** The state is Bridge's `kyc_status`. Each link has its own customer. */
export type KycLink = StoredObject<KycLinkData>;

export const KYC_NAMES = [
  { value: "full_name with Under Review", effect: "the customer stays under review" },
  { value: "full_name with Rejected, but not Hit Rejected", effect: "the customer is rejected" },
  {
    value: "full_name with Not Started",
    effect: "the customer must open the links of the identity check and the terms",
  },
  { value: "any other full_name", effect: "the customer is approved at once, and has accepted the terms" },
];

function kycStatusOf(fullName: string): string {
  if (fullName.includes("Under Review")) return "under_review";
  if (fullName.replaceAll("Hit Rejected", "").includes("Rejected")) return "rejected";
  return fullName.includes("Not Started") ? "not_started" : "approved";
}

const createKycLink = bridgeRoute({
  operation: "createKycLink",
  method: "POST",
  url: "/v0/kyc_links",
  body: closed({
    email: Type.String({ pattern: "^[^@\\s]+@[^@\\s]+$" }),
    type: Type.Enum(["individual", "business"]),
    full_name: Type.String({ minLength: 1, maxLength: 1_024 }),
  }),
  handle: async (call) => {
    const { account, body, newId: id } = call;
    const { email, type, full_name: fullName } = body;
    const state = kycStatusOf(fullName);
    const tosStatus = state === "not_started" ? "pending" : "approved";
    const customerId = [...id].toReversed().join("");
    const data: KycLinkData = { account, customerId, type, tosStatus, secret: { fullName, email } };
    const link = await insertOwn(call, { type: KYC_LINK, state, data });
    await call.events.emit(call, "kyc_link.created", id);
    return { status: 200, body: kycLinkObject(link, call.baseUrl) };
  },
});

const getKycLink = bridgeRoute({
  operation: "getKycLink",
  method: "GET",
  url: "/v0/kyc_links/:id",
  handle: async (call) => ({
    status: 200,
    body: kycLinkObject(await findOwn<KycLinkData>(call, KYC_LINK, call.params["id"]), call.baseUrl),
  }),
});

const listCustomers = bridgeRoute({
  operation: "listCustomers",
  method: "GET",
  url: "/v0/customers",
  query: closed({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    starting_after: Type.Optional(Type.String()),
    ending_before: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
  }),
  // Purser lists customers only to check a key.
  handle: async () => ({ status: 200, body: { count: 0, data: [] } }),
});

const getCustomer = bridgeRoute({
  operation: "getCustomer",
  method: "GET",
  url: "/v0/customers/:customer",
  handle: async (call) => ({ status: 200, body: customerObject(await requireCustomer(call)) }),
});

export const kycLinkRoutes = [createKycLink, getKycLink, listCustomers, getCustomer];

/** Returns the link of the account's customer. Throws the error 404 if there is none. */
export async function requireCustomer(
  { objects, account, params }: BridgeCall,
  customerId = params["customer"],
): Promise<KycLink> {
  const links = await objects.list<KycLinkData>(KYC_LINK);
  const found = links.find(({ data }) => data.account === account && data.customerId === customerId);
  if (found === undefined) throw new BridgeApiError(bridgeErrors.notFound());
  return found;
}

/** Throws the error 400 unless the customer can move money. */
export function checkActive({ state, data }: KycLink): void {
  if (state !== "approved" || data.tosStatus !== "approved") {
    throw invalidField("on_behalf_of", "is a customer who is not approved");
  }
}

export function kycLinkObject({ id, state, data, createdAt }: KycLink, baseUrl: string): object {
  return {
    id,
    full_name: data.secret.fullName,
    email: data.secret.email,
    type: data.type,
    kyc_link: `${baseUrl}/kyc/${id}`,
    tos_link: `${baseUrl}/terms/${id}`,
    kyc_status: state,
    rejection_reasons: [],
    tos_status: data.tosStatus,
    customer_id: data.customerId,
    created_at: createdAt.toISOString(),
  };
}

function customerObject({ state, data }: KycLink): object {
  const status = state === "approved" ? "active" : state;
  return { id: data.customerId, status, email: data.secret.email, type: data.type, endorsements: [] };
}

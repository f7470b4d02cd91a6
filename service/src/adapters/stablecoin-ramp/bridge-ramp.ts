import { type Static, Type } from "typebox";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { KycLink, OpenStablecoinRamp, StablecoinRamp, Transfer } from "../../ports/stablecoin-ramp.ts";
import { unlessMissing } from "../../ports/vendor-error.ts";
import { createProviderClients, pathOf, type VendorApi, vendorApi } from "../http-client/vendor-client.ts";
import { BridgeTransfer, bridgeId, decimal, maybe, transferBody, transferOf } from "./bridge-transfer.ts";

const VENDOR = "bridge";
/** Bridge's largest page. */
const PAGE_LENGTH = 100;
const LISTED_TRANSFERS_MAX = 1_000;

/** How far a customer is identified, by Bridge's word for it. Any other word means that Bridge looks at the customer. */
const KYC_STATUSES: ReadonlyMap<string, KycLink["kycStatus"]> = new Map([
  ["not_started", "not_started"],
  ["incomplete", "incomplete"],
  ["awaiting_questionnaire", "incomplete"],
  ["awaiting_ubo", "incomplete"],
  ["approved", "approved"],
  ["active", "approved"],
  ["rejected", "rejected"],
  ["offboarded", "rejected"],
]);

const url = Type.String({ pattern: "^https?://", maxLength: 2_000 });
const word = Type.String({ maxLength: 100 });

const KycLinkResponse = Type.Object({
  id: bridgeId,
  kyc_link: url,
  tos_link: url,
  kyc_status: word,
  tos_status: word,
  customer_id: maybe(bridgeId),
});
const ExternalAccount = Type.Object({ id: bridgeId, customer_id: bridgeId });
/** A transfer of any amount has none. */
const ListedTransfer = Type.Union([
  BridgeTransfer,
  Type.Object({ ...Type.Pick(BridgeTransfer, ["id", "created_at", "on_behalf_of"]).properties, amount: Type.Null() }),
]);
const Transfers = Type.Object({ data: Type.Array(ListedTransfer) });
const Rate = Type.Object({ midmarket_rate: decimal, buy_rate: decimal, sell_rate: decimal });

export interface BridgeRampOptions {
  /** The API URL for each mode: scheme and host, no trailing slash. */
  readonly apiUrl: Readonly<Record<Mode, string>>;
  readonly timeoutMs?: number;
}

/** The calls of one account. */
interface Account {
  readonly bridge: VendorApi;
  /** Repeats failed reads, because a request waits. */
  readonly requestBridge: VendorApi;
  /** Bridge requires an idempotency key for each POST, and refuses one with any other method. */
  readonly withKey: (idempotencyKey: string) => VendorApi;
  /** The API key, to be redacted from errors. */
  readonly secrets: readonly string[];
}

/** The Bridge adapter (https://apidocs.bridge.xyz). An idempotency key is valid for 24 hours, and then `refused`. */
export function createBridgeRamp({ apiUrl, timeoutMs }: BridgeRampOptions): OpenStablecoinRamp {
  return ({ mode, apiKey }) => {
    const { client, requestClient } = createProviderClients({ vendor: VENDOR, baseUrl: apiUrl[mode], timeoutMs });
    const headers = { "api-key": apiKey };
    return rampOf({
      bridge: vendorApi(client, headers),
      requestBridge: vendorApi(requestClient, headers),
      withKey: (idempotencyKey) => vendorApi(client, { ...headers, "idempotency-key": idempotencyKey }),
      secrets: [apiKey],
    });
  };
}

function rampOf(account: Account): StablecoinRamp {
  const { bridge, requestBridge, withKey, secrets } = account;
  return {
    readRate: async (currency) => {
      const query = { from: "usd", to: currency };
      const rate = await requestBridge.get("getExchangeRate", "/v0/exchange_rates", Rate, { query, secrets });
      return { mid: rate.midmarket_rate, buy: rate.buy_rate, sell: rate.sell_rate };
    },
    createKycLink: async ({ type, fullName, email, idempotencyKey }) => {
      const content = { body: { type, full_name: fullName, email }, secrets: [...secrets, fullName, email] };
      return kycLinkOf(await withKey(idempotencyKey).post("createKycLink", "/v0/kyc_links", KycLinkResponse, content));
    },
    readKycLink: async (kycLinkId) => {
      const path = pathOf`/v0/kyc_links/${kycLinkId}`;
      const link = await bridge.get("getKycLink", path, KycLinkResponse, { secrets });
      bridge.expectMatch("getKycLink", [[link.id, kycLinkId]]);
      return kycLinkOf(link);
    },
    createExternalAccount: (bankAccount) => createExternalAccount(account, bankAccount),
    removeExternalAccount: ({ customerId, externalAccountId }) => {
      const path = pathOf`/v0/customers/${customerId}/external_accounts/${externalAccountId}`;
      return unlessMissing(bridge.delete("deleteExternalAccount", path, Type.Unknown(), { secrets }));
    },
    createTransfer: (transfer) => createTransfer(account, transfer),
    readTransfer: async (transferId) => {
      const path = pathOf`/v0/transfers/${transferId}`;
      const transfer = await bridge.get("getTransfer", path, BridgeTransfer, { secrets });
      bridge.expectMatch("getTransfer", [[transfer.id, transferId]]);
      return transferOf(transfer);
    },
    listTransfers: (search) => listTransfers(account, search),
    deleteTransfer: (transferId) => {
      const path = pathOf`/v0/transfers/${transferId}`;
      return unlessMissing(bridge.delete("deleteTransfer", path, Type.Unknown(), { secrets }));
    },
  };
}

function kycLinkOf(link: Static<typeof KycLinkResponse>): KycLink {
  return {
    kycLinkId: link.id,
    kycUrl: link.kyc_link,
    termsUrl: link.tos_link,
    kycStatus: KYC_STATUSES.get(link.kyc_status) ?? "under_review",
    hasAcceptedTerms: link.tos_status === "approved",
    customerId: link.customer_id ?? null,
  };
}

async function createExternalAccount(
  { withKey, secrets }: Account,
  { customerId, idempotencyKey, ...bankAccount }: Parameters<StablecoinRamp["createExternalAccount"]>[0],
): Promise<{ readonly externalAccountId: string }> {
  const operation = "createExternalAccount";
  const bridge = withKey(idempotencyKey);
  const { ownerName, bankName, accountNumber, routingNumber, subtype, address } = bankAccount;
  if (address.country !== "US") throw bridge.error("refused", operation, "the address is not in the United States");
  const body = {
    account_type: "us",
    currency: "usd",
    account_owner_name: ownerName,
    ...(bankName !== null && { bank_name: bankName }),
    account: { account_number: accountNumber, routing_number: routingNumber, checking_or_savings: subtype },
    address: {
      street_line_1: address.line1,
      ...(address.line2 !== null && { street_line_2: address.line2 }),
      city: address.city,
      state: address.state,
      postal_code: address.postalCode,
      // ISO 3166-1 alpha-3.
      country: "USA",
    },
  };
  const personal = [ownerName, accountNumber, routingNumber, address.line1, address.line2 ?? ""];
  const created = await bridge.post(operation, pathOf`/v0/customers/${customerId}/external_accounts`, ExternalAccount, {
    body,
    secrets: [...secrets, ...personal],
  });
  bridge.expectMatch(operation, [[created.customer_id, customerId]]);
  return { externalAccountId: created.id };
}

async function createTransfer(
  { withKey, secrets }: Account,
  transfer: Parameters<StablecoinRamp["createTransfer"]>[0],
): Promise<Transfer> {
  const operation = "createTransfer";
  const bridge = withKey(transfer.idempotencyKey);
  const content = { body: transferBody(transfer), secrets };
  const created = await bridge.post(operation, "/v0/transfers", BridgeTransfer, content);
  return transferOf(created);
}

/** Bridge lists the newest first. */
async function listTransfers(
  { bridge, secrets }: Account,
  { customerId, since }: Parameters<StablecoinRamp["listTransfers"]>[0],
): Promise<readonly Transfer[]> {
  const operation = "listCustomerTransfers";
  const path = pathOf`/v0/customers/${customerId}/transfers`;
  const found: Static<typeof ListedTransfer>[] = [];
  let lastId: string | undefined;
  let hasMore = true;
  while (hasMore && found.length < LISTED_TRANSFERS_MAX) {
    const query = { limit: String(PAGE_LENGTH), starting_after: lastId };
    const { data } = await bridge.get(operation, path, Transfers, { query, secrets });
    bridge.expectMatch(
      operation,
      data.map((transfer) => [transfer.on_behalf_of, customerId]),
    );
    const recent = data.filter((transfer) => Date.parse(transfer.created_at) >= since.getTime());
    found.push(...recent);
    lastId = data.at(-1)?.id;
    hasMore = recent.length === PAGE_LENGTH;
  }
  return found.flatMap((transfer) => (transfer.amount === null ? [] : [transferOf(transfer)]));
}

import { createHash, randomUUID } from "node:crypto";
import type { StoredObject } from "../kit/object-store.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { hashOf } from "../oauth/codes.ts";
import { expiryIn, isExpired } from "../oauth/expiry.ts";
import { errorFields, LOGIN_REQUIRED, PlaidApiError } from "./plaid-errors.ts";
import type { PlaidEvents } from "./plaid-events.ts";
import type { PlaidCall, PlaidMode } from "./plaid-route.ts";

export const INSTITUTION = { institution_id: "ins_109508", name: "First Platypus Bank" } as const;
const ROUTING_NUMBER = "011401533";
const PUBLIC_TOKEN_LIFETIME_MS = 30 * 60_000;
const DEPOSITS_SETTLE_MS = 2_000;

export interface ItemData {
  readonly mode: PlaidMode;
  readonly ownerName: string;
  readonly webhook: string | null;
  /** When the micro-deposits settle, as an RFC 3339 timestamp. Null if the accounts were verified by login. */
  readonly depositsSettleAt: string | null;
}

/** Its state is `good`, `pending_deposits`, `verification_expired`, `login_required` or `removed`. */
export type StoredItem = StoredObject<ItemData>;

interface PublicToken {
  readonly mode: PlaidMode;
  readonly expiresAt: string;
  readonly secret: { readonly accessToken: string };
}

export function newToken(kind: "access" | "public" | "link", mode: PlaidMode): string {
  return `${kind}-${mode === "live" ? "production" : "sandbox"}-${randomUUID()}`;
}

/** Plaid's ids have 37 characters. */
function idFrom(seed: string): string {
  return hashOf(seed).slice(0, 37);
}

/** Creates an item, whose id is derived from its access token, and a public token. */
export async function createItem(
  context: VendorContext,
  events: PlaidEvents,
  { hasDeposits, ...item }: Omit<ItemData, "depositsSettleAt"> & { readonly hasDeposits: boolean },
): Promise<{ readonly item: StoredItem; readonly publicToken: string }> {
  const { mode } = item;
  const [accessToken, publicToken] = [newToken("access", mode), newToken("public", mode)];
  const data = { ...item, depositsSettleAt: hasDeposits ? expiryIn(context, DEPOSITS_SETTLE_MS) : null };
  const made = { type: "item", id: idFrom(accessToken), state: hasDeposits ? "pending_deposits" : "good", data };
  await context.objects.insert(made);
  const expiresAt = expiryIn(context, PUBLIC_TOKEN_LIFETIME_MS);
  const redemption: PublicToken = { mode, expiresAt, secret: { accessToken } };
  await context.objects.insert({ type: "public_token", id: hashOf(publicToken), state: "issued", data: redemption });
  // If the simulator's clock is not the real one, a later call reports the deposits.
  if (hasDeposits) setTimeout(() => settle(context, events, made.id).catch(() => {}), DEPOSITS_SETTLE_MS + 100).unref();
  return { item: { ...made, createdAt: context.now() }, publicToken };
}

/** Exchanges a public token, once. */
export async function redeem(call: PlaidCall, publicToken: string) {
  const id = hashOf(publicToken);
  const found = await call.objects.find<PublicToken>("public_token", id);
  const isUsable = found?.data.mode === call.mode && !isExpired(found.data, call);
  if (!(isUsable && (await call.objects.claim("public_token", id, "issued", "exchanged")))) {
    throw new PlaidApiError("INVALID_INPUT", "INVALID_PUBLIC_TOKEN", "could not find matching public token");
  }
  const { accessToken } = found.data.secret;
  return { access_token: accessToken, item_id: idFrom(accessToken) };
}

/** Verifies the accounts of an item whose deposits have settled. */
async function settle(context: VendorContext, events: PlaidEvents, itemId: string): Promise<void> {
  const item = await context.objects.find<ItemData>("item", itemId);
  const expiresAt = item?.data.depositsSettleAt ?? "";
  if (item?.state !== "pending_deposits" || !isExpired({ expiresAt }, context)) return;
  if (!(await context.objects.claim("item", itemId, "pending_deposits", "good"))) return;
  await events.emit(context, "AUTH.AUTOMATICALLY_VERIFIED", itemId);
}

/** Returns the item of an access token of the call's mode. */
export async function requireItem(call: PlaidCall, accessToken: string): Promise<StoredItem> {
  const id = idFrom(accessToken);
  await settle(call, call.events, id);
  const item = await call.objects.find<ItemData>("item", id);
  if (item?.data.mode !== call.mode) {
    throw new PlaidApiError("INVALID_INPUT", "INVALID_ACCESS_TOKEN", "could not find matching access token");
  }
  if (item.state === "removed") throw new PlaidApiError("ITEM_ERROR", "ITEM_NOT_FOUND", "the item was removed");
  return item;
}

export function presentItem({ id, state, data }: StoredItem) {
  return {
    ...{ item_id: id, institution_id: INSTITUTION.institution_id, institution_name: INSTITUTION.name },
    ...{ webhook: data.webhook, error: state === "login_required" ? errorFields(LOGIN_REQUIRED) : null },
    ...{ available_products: [], billed_products: ["auth", "identity"], products: ["auth", "identity"] },
    ...{ consent_expiration_time: null, update_type: "background" },
  };
}

const VERIFICATION_STATUSES: ReadonlyMap<string, string> = new Map([
  ["pending_deposits", "pending_automatic_verification"],
  ["verification_expired", "verification_expired"],
]);

/** Returns the item's accounts. Their ids and numbers are derived from the item's id. */
export function accountsOf({ id, state, data }: StoredItem) {
  const status = VERIFICATION_STATUSES.get(state) ?? "automatically_verified";
  return (["checking", "savings"] as const).map((subtype) => {
    const accountId = idFrom(`${id}.${subtype}`);
    const account = `11${createHash("sha256").update(accountId).digest().readUInt32BE().toString().padStart(10, "0")}`;
    return {
      account_id: accountId,
      balances: { available: 100, current: 110, limit: null, iso_currency_code: "USD", unofficial_currency_code: null },
      ...{ mask: account.slice(-4), name: `Plaid ${subtype}`, official_name: null, type: "depository", subtype },
      ...(data.depositsSettleAt === null ? {} : { verification_status: status }),
      numbers: { account_id: accountId, account, routing: ROUTING_NUMBER, wire_routing: null },
    };
  });
}

import { type Static, Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { hashOf } from "../oauth/codes.ts";
import { expiryIn, isExpired } from "../oauth/expiry.ts";
import { type INSTITUTION, newToken, requireItem } from "./items.ts";
import { PlaidApiError } from "./plaid-errors.ts";
import { type PlaidMode, plaidRoute } from "./plaid-route.ts";

const LIFETIME_MS = 4 * 3_600_000;
const UPDATE_LIFETIME_MS = 30 * 60_000;

const text = Type.String({ minLength: 1 });
const products = Type.Optional(Type.Array(Type.Enum(["auth", "identity"]), { minItems: 1 }));
const subtypes = Type.Array(Type.Enum(["checking", "savings"]), { minItems: 1 });
const closed = { additionalProperties: false };

const linkBody = {
  client_name: text,
  language: Type.String({ pattern: "^(da|de|en|es|et|fr|hi|it|lt|lv|nl|no|pl|pt|ro|sv|vi)$" }),
  country_codes: Type.Array(Type.Literal("US"), { minItems: 1 }),
  user: Type.Object({ client_user_id: text }, closed),
  products,
  required_if_supported_products: products,
  webhook: Type.Optional(text),
  // https, or http on loopback.
  redirect_uri: Type.Optional(Type.String({ pattern: "^(https://|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])[:/])" })),
  access_token: Type.Optional(text),
  account_filters: Type.Optional(
    Type.Object({ depository: Type.Object({ account_subtypes: subtypes }, closed) }, closed),
  ),
  auth: Type.Optional(Type.Object({ automated_microdeposits_enabled: Type.Boolean() }, closed)),
};
const LinkBody = Type.Object(linkBody);

/** The item that a user added. */
export interface AddedItem {
  readonly public_token: string;
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  readonly institution: typeof INSTITUTION;
}

interface LinkData {
  readonly mode: PlaidMode;
  readonly expiresAt: string;
  readonly asked: Omit<Static<typeof LinkBody>, "access_token">;
  /** The item that the user repairs (update mode). Null if the user adds a new one. */
  readonly itemId: string | null;
  readonly secret: { readonly added: AddedItem | null };
}

/** Its state is `open` or `finished`. */
export type StoredLink = StoredObject<LinkData>;

const create = plaidRoute({
  ...{ operation: "linkTokenCreate", url: "/link/token/create", body: linkBody },
  handle: async (call) => {
    const { access_token: accessToken, ...asked } = call.body;
    // In update mode, the products are those of the item.
    if ((accessToken === undefined) === (asked.products === undefined)) {
      throw new PlaidApiError("INVALID_REQUEST", "INVALID_FIELD", "either products or an access token must be given");
    }
    const itemId = accessToken === undefined ? null : (await requireItem(call, accessToken)).id;
    const expiresAt = expiryIn(call, itemId === null ? LIFETIME_MS : UPDATE_LIFETIME_MS);
    const token = newToken("link", call.mode);
    const data: LinkData = { mode: call.mode, expiresAt, asked, itemId, secret: { added: null } };
    await call.objects.insert({ type: "link_token", id: hashOf(token), state: "open", data });
    return { link_token: token, expiration: expiresAt };
  },
});

const get = plaidRoute({
  ...{ operation: "linkTokenGet", url: "/link/token/get", body: { link_token: text } },
  handle: async (call) => {
    const { link_token } = call.body;
    const link = await findLink(call, link_token);
    if (link?.data.mode !== call.mode) {
      throw new PlaidApiError("INVALID_INPUT", "INVALID_LINK_TOKEN", "the provided link token does not exist");
    }
    const { expiresAt, asked, secret } = link.data;
    const { client_name, country_codes, language, products: initial_products = [] } = asked;
    const { webhook = null, redirect_uri = null } = asked;
    return {
      ...{ link_token, created_at: link.createdAt, expiration: expiresAt },
      link_sessions: secret.added === null ? [] : [session(link.id, secret.added)],
      metadata: { client_name, country_codes, initial_products, language, redirect_uri, webhook },
    };
  },
});

function session(id: string, added: AddedItem) {
  const { public_token, ...metadata } = added;
  const results = {
    item_add_results: [added],
    ...{ cra_item_add_results: [], cra_update_results: [], document_income_results: null },
    ...{ bank_income_results: [], payroll_income_results: [] },
  };
  return { link_session_id: id.slice(0, 36), on_success: { public_token, metadata }, results };
}

function findLink({ objects }: Pick<VendorContext, "objects">, token: string): Promise<StoredLink | undefined> {
  return objects.find<LinkData>("link_token", hashOf(token));
}

/** Returns a link token with which a user can still do something. */
export async function findOpenLink(context: VendorContext, token: string): Promise<StoredLink | undefined> {
  const link = await findLink(context, token);
  return link?.state === "open" && !isExpired(link.data, context) ? link : undefined;
}

export const linkTokenRoutes = [create, get];

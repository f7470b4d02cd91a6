import { listActivity, presentActivity, WalletActivityResource } from "../../../modules/wallets/index.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint } from "../../route.ts";
import { walletKeyOf } from "./wallet-key.ts";

/** A time and an id, because the items are rows of several tables. */
const POSITION_FORM =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z (?:fund|pay|frz)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export const listWalletActivityRoute = endpoint({
  method: "GET",
  url: "/api/v1/svc/wallets/:wallet_id/activity",
  config: {
    auth: "tenant",
    scope: "wallets:read",
    agentBound: "allowed",
    projectBound: "refused",
    sample: { sdk: "each wallets.activity(WALLET_ID)" },
  },
  schema: {
    operationId: "listWalletActivity",
    tags: ["Wallets"],
    summary: "List a wallet's activity",
    description:
      "Returns the deposits, payments and freezes of the wallet, newest first. A payment between two wallets of the account is a payment of the one and a deposit of the other.",
    querystring: CursorQuery,
    response: { 200: cursorPage(WalletActivityResource) },
  },
  handler: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const key = walletKeyOf(request, request.params.wallet_id);
    const after = positionOf(decodeCursor(cursor, POSITION_FORM));
    const page = await listActivity(app.db, key, { after, limit, at: app.clock.now() });
    return presentPage(
      page,
      (activity) => presentActivity(key.walletId, activity),
      ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`,
    );
  },
});

/** Returns the position that a cursor names. */
function positionOf(name: string | undefined) {
  if (name === undefined) return undefined;
  const [time = "", id = ""] = name.split(" ");
  return { createdAt: new Date(time), id };
}

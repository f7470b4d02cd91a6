import { presentActivity, WalletActivityResource } from "../../../modules/wallets/activity/activity-resource.ts";
import { listActivity } from "../../../modules/wallets/activity/queries.ts";
import { CursorQuery, cursorPage, decodePosition, LIMIT_DEFAULT, positionName, presentPage } from "../../cursor.ts";
import { endpoint } from "../../route.ts";
import { walletKeyOf } from "./wallet-key.ts";

/** The items are rows of several tables. */
const ITEM_ID_FORM = /^(?:fund|pay|frz)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export const listWalletActivityRoute = endpoint("GET /api/v1/svc/wallets/:wallet_id/activity", {
  operationId: "listWalletActivity",
  sdk: "wallets.activity",
  summary: "List a wallet's activity",
  description:
    "Returns the deposits, payments and freezes of the wallet, newest first. A payment between two wallets of the account is a payment of the one and a deposit of the other.",
  auth: "tenant",
  scope: "wallets:read",
  agentBound: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(WalletActivityResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const key = walletKeyOf(request, request.params.wallet_id);
    const after = decodePosition(cursor, ITEM_ID_FORM);
    const page = await listActivity(app.db, key, {
      at: app.clock.now(),
      after: after && { createdAt: after.at, id: after.id },
      limit,
    });
    return presentPage(
      page,
      (activity) => presentActivity(key.walletId, activity),
      ({ createdAt, id }) => positionName(createdAt, id),
    );
  },
});

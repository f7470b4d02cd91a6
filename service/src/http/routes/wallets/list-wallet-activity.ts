import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import {
  listActivity,
  presentActivity,
  WalletActivityResource,
} from "../../../modules/wallets/index.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import type { Server } from "../../route.ts";
import { POSITION_TIME, positionOf } from "./positions.ts";
import { walletKeyOf } from "./wallet-key.ts";

const POSITION_FORM = new RegExp(`^${POSITION_TIME} (?:fund|pay|frz)_[0-7][0-9a-hjkmnp-tv-z]{25}$`);

export function listWalletActivityRoute(server: Server, app: App): void {
  server.route({
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
      params: Type.Object({ wallet_id: Type.String() }),
      querystring: CursorQuery,
      response: { 200: cursorPage(WalletActivityResource), 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const { cursor, limit = LIMIT_DEFAULT } = request.query;
      const key = walletKeyOf(request, request.params.wallet_id);
      const after = positionOf(decodeCursor(cursor, POSITION_FORM));
      const page = await listActivity(app.db, {
        at: app.clock.now(),
        key,
        after,
        limit,
      });
      return presentPage(
        page,
        (activity) => presentActivity(key.walletId, activity),
        ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`,
      );
    },
  });
}

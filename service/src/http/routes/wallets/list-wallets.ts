import { Type } from "typebox";
import { WALLET_STATUSES } from "../../../foundation/vocabulary.ts";
import { Problem } from "../../../foundation/wire/problem.ts";
import { requireAgent } from "../../../modules/agents/require-agent.ts";
import { listWallets } from "../../../modules/wallets/queries.ts";
import { presentWallet, WalletResource } from "../../../modules/wallets/wallet-resource.ts";
import { singleHeader } from "../../auth/request-headers.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint } from "../../route.ts";
import { NetworkIn, networkOf } from "./wallet-fields.ts";
import { walletScopeOf } from "./wallet-key.ts";

const WalletsQuery = Type.Object(
  {
    ...CursorQuery.properties,
    agent_id: Type.Optional(
      Type.String({
        format: "uuid",
        maxLength: 36,
        description: "Returns only wallets of this agent.",
      }),
    ),
    network: Type.Optional({
      ...NetworkIn,
      description: "Returns only wallets on this network: a name or CAIP-2 id.",
    }),
    status: Type.Optional(Type.Enum([...WALLET_STATUSES], { description: "Returns only wallets with this status." })),
  },
  { additionalProperties: false },
);

export const listWalletsRoute = endpoint("GET /api/v1/svc/wallets", {
  config: {
    auth: "tenant",
    scope: "wallets:read",
    agentBound: "allowed",
    sample: { sdk: "each wallets.list()" },
  },
  schema: {
    operationId: "listWallets",
    summary: "List wallets",
    description:
      "Returns the wallets in the caller's mode, newest first. With `X-Agent-ID`, returns only the wallets of this agent. A key bound to agents gets only the wallets of these agents.",
    querystring: WalletsQuery,
    response: { 200: cursorPage(WalletResource), 404: Problem },
  },
  handler: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, agent_id, network, status } = request.query;
    const scope = walletScopeOf(request);
    const named = singleHeader(request, "x-agent-id").toLowerCase();
    if (named !== "") await requireAgent(app.db, { ...scope, agentId: named });
    const page = await listWallets(app.db, scope, {
      agentId: agent_id?.toLowerCase(),
      network: network === undefined ? undefined : networkOf(network),
      status,
      after: decodeIdCursor(cursor, "wal"),
      limit,
    });
    const now = app.clock.now();
    return presentPage(
      page,
      (wallet) => presentWallet(wallet, now),
      ({ walletId }) => walletId,
    );
  },
});

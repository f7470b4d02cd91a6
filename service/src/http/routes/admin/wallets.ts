import { type Static, Type } from "typebox";
import { EVM_NETWORKS } from "../../../foundation/blockchain-networks.ts";
import { FREEZE_SOURCES, WALLET_STATUSES } from "../../../foundation/vocabulary.ts";
import { Flag, ModeName, NamedObject, Nullable, Text, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import { searchWallets, type Wallet } from "../../../modules/wallets/queries.ts";
import { presentFreeze, WalletFreeze } from "../../../modules/wallets/wallet-resource.ts";
import { cursorPage, cursorQuery, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint } from "../../route.ts";
import { recordAccess } from "./record-access.ts";

const AdminWalletResource = NamedObject("AdminWallet", {
  object: Type.Literal("wallet"),
  wallet_id: Type.String(),
  developer_id: Type.String(),
  agent_id: Type.String({ format: "uuid" }),
  mode: ModeName,
  network: Type.Enum([...EVM_NETWORKS]),
  address: Type.String(),
  status: Type.Enum([...WALLET_STATUSES]),
  freeze: WalletFreeze,
  freeze_source: Nullable(
    Type.Enum([...FREEZE_SOURCES]),
    "Whose freeze it is: only an admin can lift one by an admin. Null unless frozen.",
  ),
  created_at: Timestamp,
});

function presentAdminWallet(wallet: Wallet): Static<typeof AdminWalletResource> {
  return toWire(AdminWalletResource, wallet, { developer_id: wallet.tenantId, freeze: presentFreeze(wallet) });
}

const Query = cursorQuery({
  q: Type.Optional(
    Text("The id of a wallet or a developer, or a wallet's address.", {
      minLength: 1,
      maxLength: 100,
      pattern: "^[!-~]+$",
    }),
  ),
  frozen: Type.Optional(Flag("Only wallets that are frozen, or only those that are not.")),
});

export const searchWalletsRoute = endpoint("GET /api/v1/svc/admin/wallets", {
  operationId: "searchWallets",
  summary: "Search wallets",
  description:
    "Returns wallets of all accounts and modes with their freezes, newest first. Each call is recorded in the operators' audit trail; the search text `q` is not recorded.",
  auth: "admin",
  query: Query,
  answers: { 200: cursorPage(AdminWalletResource) },
  run: async (app, request) => {
    const { q: text, frozen: isFrozen, cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodeIdCursor(cursor, "wal");
    const facts = { searched: text !== undefined, frozen: isFrozen ?? null };
    await recordAccess(app, request, { action: "wallets.listed", facts });
    const page = await searchWallets(app.db, { text, isFrozen, after, limit });
    return presentPage(page, presentAdminWallet, "walletId");
  },
});

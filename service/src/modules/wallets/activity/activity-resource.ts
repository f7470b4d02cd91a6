import { type Static, Type } from "typebox";
import { formatTokenAmount } from "../../../foundation/money.ts";
import { FREEZE_MODES, FREEZE_REASONS, PAYMENT_STATUSES } from "../../../foundation/vocabulary.ts";
import { ActorOut, DecimalOut, NamedObject, Nullable, Timestamp } from "../../../foundation/wire/fields.ts";
import { TokenName, tokenNameOf } from "../balances/present-balances.ts";
import type { Activity } from "./queries.ts";

const ActivityFreeze = Type.Object({
  mode: Type.Enum([...FREEZE_MODES]),
  source: Type.Enum(["developer", "admin"]),
  reason: Nullable(Type.Enum([...FREEZE_REASONS])),
  note: Nullable(Type.String()),
  reference: Nullable(Type.String()),
  by: ActorOut,
});

export const WalletActivityResource = NamedObject("WalletActivity", {
  object: Type.Literal("wallet_activity"),
  activity_id: Type.String({
    description: "The id of the funding, the deposit, the payment or the change of the freeze.",
  }),
  type: Type.Enum(["deposit", "payment", "freeze", "unfreeze"], {
    description:
      "`deposit`: test tokens, a transfer on the chain of a live wallet, or a payment to the wallet. `payment`: a payment by it.",
  }),
  wallet_id: Type.String(),
  token: Nullable(TokenName),
  amount: Nullable(DecimalOut, "Null for a change of the freeze."),
  status: Nullable(
    Type.Enum([...PAYMENT_STATUSES, "pending"]),
    "The status of the payment. `confirmed` for test tokens. A transfer on the chain is `pending` until it is final, then `confirmed`.",
  ),
  tx_hash: Nullable(Type.String(), "The transaction of a transfer on the chain."),
  payment_id: Nullable(Type.String(), "The payment, if it is one."),
  freeze: Nullable(ActivityFreeze, "The freeze that was made or lifted, and by whom. Null for other types."),
  created_at: Timestamp,
});

const TYPES = {
  funding: "deposit",
  chain_deposit: "deposit",
  incoming_payment: "deposit",
  payment: "payment",
  freeze: "freeze",
  unfreeze: "unfreeze",
} as const;

export function presentActivity(walletId: string, activity: Activity): Static<typeof WalletActivityResource> {
  const { kind, id, asset, baseUnits, status, transactionHash, freeze, createdAt } = activity;
  const isPayment = kind === "payment" || kind === "incoming_payment";
  return {
    object: "wallet_activity",
    activity_id: id,
    type: TYPES[kind],
    wallet_id: walletId,
    token: asset && tokenNameOf(asset),
    amount: asset && baseUnits !== null ? formatTokenAmount({ asset, baseUnits }) : null,
    status: kind === "funding" ? "confirmed" : status,
    tx_hash: transactionHash,
    payment_id: isPayment ? id : null,
    freeze: freeze && { ...freeze, by: { type: freeze.by.type, id: freeze.by.id } },
    created_at: createdAt.toISOString(),
  };
}

import { type Static, Type } from "typebox";
import { formatTokenAmount } from "../../../foundation/money.ts";
import { FREEZE_MODES, FREEZE_REASONS, PAYMENT_STATUSES } from "../../../foundation/vocabulary.ts";
import {
  ActorOut,
  DecimalOut,
  NamedObject,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from "../../../foundation/wire/fields.ts";
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
  activity_id: Text("The id of the funding, the deposit, the payment, the refund or the change of the freeze."),
  type: OneOf(
    ["deposit", "payment", "refund", "freeze", "unfreeze"],
    "`deposit`: test tokens, a transfer on the chain of a live wallet, or a payment to the wallet. `payment`: a payment by it. `refund`: a refund of a payment by it (`in`) or to it (`out`).",
  ),
  wallet_id: Type.String(),
  token: Nullable(TokenName),
  direction: Nullable(
    Type.Enum(["in", "out"]),
    "Whether the money enters or leaves the wallet. Null for a change of the freeze.",
  ),
  amount: Nullable(DecimalOut, "Without a sign. Null for a change of the freeze."),
  signed_amount: Nullable(
    Type.String({ examples: ["-4.50"] }),
    "What has entered the wallet or, with a minus, left it. `0.00` if nothing has, for example of an authorization that is not captured. Null for a change of the freeze.",
  ),
  captured_amount: Nullable(
    DecimalOut,
    "What was captured of an authorization by the wallet. Null for all else, and until it is captured.",
  ),
  status: Nullable(
    Type.Enum([...PAYMENT_STATUSES, "pending"]),
    "The status of the payment. `confirmed` for test tokens and for refunds. A transfer on the chain is `pending` until it is final, then `confirmed`.",
  ),
  tx_hash: Nullable(Type.String(), "The transaction of a transfer on the chain."),
  payment_id: Nullable(Type.String(), "The payment, or the one that was refunded."),
  freeze: Nullable(ActivityFreeze, "The freeze that was made or lifted, and by whom. Null for other types."),
  created_at: Timestamp,
});

const KINDS = {
  funding: { type: "deposit", direction: "in" },
  chain_deposit: { type: "deposit", direction: "in" },
  incoming_payment: { type: "deposit", direction: "in" },
  payment: { type: "payment", direction: "out" },
  incoming_refund: { type: "refund", direction: "in" },
  refund: { type: "refund", direction: "out" },
  freeze: { type: "freeze", direction: null },
  unfreeze: { type: "unfreeze", direction: null },
} as const;

export function presentActivity(walletId: string, activity: Activity): Static<typeof WalletActivityResource> {
  const { kind, id, asset, baseUnits, status, transactionHash, paymentId, freeze, createdAt } = activity;
  const { movedBaseUnits: moved, capturedBaseUnits: captured } = activity;
  const { type, direction } = KINDS[kind];
  const amountOf = (units: bigint | null) =>
    asset && units !== null ? formatTokenAmount({ asset, baseUnits: units }) : null;
  return {
    object: "wallet_activity",
    activity_id: id,
    type,
    wallet_id: walletId,
    token: asset && tokenNameOf(asset),
    direction,
    amount: amountOf(baseUnits),
    signed_amount: amountOf(direction === "out" && moved !== null ? -moved : moved),
    captured_amount: amountOf(captured),
    status: kind === "funding" ? "confirmed" : status,
    tx_hash: transactionHash,
    payment_id: paymentId,
    freeze: freeze && { ...freeze, by: { type: freeze.by.type, id: freeze.by.id } },
    created_at: createdAt.toISOString(),
  };
}

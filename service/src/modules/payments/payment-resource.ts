import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { type SignedStatement, signStatement } from "../../crypto/signed-statement.ts";
import type { StatementSigner } from "../../crypto/statement-signer.ts";
import type { PaymentOnchain as StoredOnchain } from "../../db/schema.ts";
import { type BlockchainNetwork, networkFactsOf } from "../../foundation/blockchain-networks.ts";
import { formatTokenAmount } from "../../foundation/money.ts";
import {
  KYA_LEVELS,
  PAYEE_TYPES,
  PAYMENT_EXECUTIONS,
  PAYMENT_STATUSES,
  type PaymentStatus,
  POLICY_OUTCOMES,
  WAITING_PAYMENT_STATUSES,
} from "../../foundation/vocabulary.ts";
import {
  approvalUrls,
  Count,
  DecimalOut,
  FailureOut,
  Flag,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import type { Payment } from "./queries.ts";

/**
 * Returns the payment's status at the given time. A payment that waits counts as expired once `expiresAt` is reached, even
 * if the job that stores the new status has not run yet.
 */
export function paymentStatusAt({ status, expiresAt }: Pick<Payment, "status" | "expiresAt">, at: Date): PaymentStatus {
  const isWaiting = WAITING_PAYMENT_STATUSES.includes(status);
  return isWaiting && expiresAt !== null && expiresAt <= at ? "expired" : status;
}

const PaidPayee = Type.Object(
  {
    type: Type.Enum([...PAYEE_TYPES]),
    value: Text("The payee as the request named it. An address has the checksum of EIP-55."),
    address: Text("The address that is paid, with the checksum of EIP-55."),
    wallet_id: Nullable(Type.String(), "The wallet of the same account that is paid. Null for any other address."),
  },
  { $id: "PaymentPayee", description: "Who is paid." },
);

const PaymentFee = NamedObject("PaymentFee", {
  type: Type.Enum(["network"]),
  amount: DecimalOut,
  sponsored: Flag("Whether Purser pays the fee."),
});

const PaymentOnchain = NamedObject("PaymentOnchain", {
  user_op_hash: Text("The hash of the account's operation (ERC-4337)."),
  tx_hash: Nullable(
    Type.String(),
    "The transaction that contains the operation. It can change until the payment is `confirmed`.",
  ),
  nonce_key: Text("The first 192 bits of the operation's nonce, in hex."),
  block_number: Nullable(Type.Integer()),
  confirmations: Count("The blocks from that block to the newest, as last seen."),
});

const PolicyVerdict = Type.Object(
  {
    outcome: Type.Enum([...POLICY_OUTCOMES]),
    policy_id: Nullable(Type.String()),
    policy_version: Nullable(Type.Integer()),
    rule_id: Nullable(Type.String()),
    kya_level: OneOf(KYA_LEVELS, "The agent's know-your-agent level."),
    screening: Type.Null({ description: "Always null in this version." }),
  },
  { $id: "PolicyVerdict", description: "What the agent's policies decided, and the rule that decided." },
);

const Receipt = Type.Object(
  {
    payment_id: Type.String(),
    chain_id: Nullable(Type.String(), "The network's CAIP-2 id. Null in test mode."),
    hash: Text("Lowercase hex SHA-256 of the receipt's canonical JSON (RFC 8785)."),
    signature: Text("Ed25519 signature in base64url."),
    alg: Type.Enum(["ed25519"]),
    kid: Text("The key's id in `/.well-known/jwks.json`."),
  },
  {
    description: "A signed proof of the payment, which anyone can verify offline. Null until the payee is paid.",
  },
);

const PaymentApproval = Type.Object(
  {
    approval_id: Type.String(),
    approve_url: Text("URL path that approves the payment with POST."),
    approve_page_url: Text("URL of the page on which the developer decides, after logging in."),
    long_poll_url: Text("URL path that responds as soon as the approval is decided."),
  },
  { description: "The newest approval of the payment. Null if none was required." },
);

export const PaymentResource = NamedObject("Payment", {
  object: Type.Literal("payment"),
  payment_id: Type.String(),
  mode: ModeName,
  agent_id: Text("The agent that pays."),
  wallet_id: Text("The wallet that pays."),
  network: Type.String(),
  token: Type.String(),
  amount: { ...DecimalOut, description: "The amount that the payee gets." },
  paid_amount: Nullable(
    DecimalOut,
    "The amount that the payee got. Less than `amount` if less was captured. Null until the payee is paid.",
  ),
  refunded_amount: { ...DecimalOut, description: "The part of `paid_amount` that was refunded." },
  to: PaidPayee,
  status: Type.Enum([...PAYMENT_STATUSES]),
  execution: Type.Enum([...PAYMENT_EXECUTIONS]),
  purpose: Nullable(Type.String()),
  reference: Nullable(Type.String()),
  decision: PolicyVerdict,
  project_id: Nullable(Type.String(), "The project whose monthly cap the payment counts toward."),
  reservation: Nullable(
    Type.Object(
      { reservation_id: Type.String(), amount: DecimalOut },
      { description: "The amount in the budgets. Null if the payment counts toward none." },
    ),
  ),
  fees: ListOf(PaymentFee, "What the payment costs on top of `amount`. Purser pays for the network."),
  onchain: Nullable(PaymentOnchain, "The payment on its network. Null in test mode, and until the payment is signed."),
  approval: Nullable(PaymentApproval),
  failure: Nullable(FailureOut, "Why the payment ended without paying. Null otherwise."),
  receipt: Nullable(Receipt),
  metadata: Type.Record(Type.String(), Type.String()),
  expires_at: Nullable(Timestamp, "When the approval or the authorization expires. Null if the payment never waited."),
  created_at: Timestamp,
  settled_at: Nullable(Timestamp, "When the payee was paid."),
  updated_at: Timestamp,
});

export type PresentedPayment = Static<typeof PaymentResource>;

/** The fees of a test payment: none. */
const FEES: Static<typeof PaymentFee>[] = [{ type: "network", amount: "0.00", sponsored: true }];

export function presentPayment(
  app: Pick<App, "signer" | "settings">,
  payment: Payment,
  at: Date,
): Static<typeof PaymentResource> {
  const { paymentId, asset, paidBaseUnits, reservationId } = payment;
  const format = (baseUnits: bigint) => formatTokenAmount({ asset, baseUnits });
  const amount = format(payment.baseUnits);
  const receipted = {
    payment_id: paymentId,
    mode: payment.mode,
    agent_id: payment.agentId,
    wallet_id: payment.walletId,
    network: payment.network,
    token: asset.toUpperCase(),
    paid_amount: paidBaseUnits === null ? null : format(paidBaseUnits),
    to: {
      ...payment.payee,
      address: payment.payeeAddress,
      wallet_id: payment.payeeWalletId,
    },
    settled_at: payment.settledAt?.toISOString() ?? null,
    onchain: payment.onchain,
  };
  return toWire(PaymentResource, payment, {
    ...receipted,
    amount,
    refunded_amount: format(payment.refundedBaseUnits),
    status: paymentStatusAt(payment, at),
    decision: toWire(PolicyVerdict, payment.decision, { screening: null }),
    reservation: reservationId === null ? null : { reservation_id: reservationId, amount },
    fees: FEES,
    approval: presentApprovalOf(app, payment),
    receipt: paymentReceipt(app.signer, receipted),
  });
}

function presentApprovalOf(app: Pick<App, "settings">, { approvalId }: Payment) {
  return approvalId === null ? null : { approval_id: approvalId, ...approvalUrls(app, approvalId) };
}

const RECEIPT_DOMAIN = "purser-payment-receipt-v1";
/** Receipts of live payments also cover the transaction. */
const LIVE_RECEIPT_DOMAIN = "purser-payment-receipt-v2";

/** The fields of a payment's API representation that its receipt covers. */
export interface ReceiptFacts {
  readonly payment_id: string;
  readonly mode: string;
  readonly agent_id: string;
  readonly wallet_id: string;
  readonly network: BlockchainNetwork;
  readonly token: string;
  readonly paid_amount: string | null;
  readonly to: { readonly address: string };
  readonly settled_at: string | null;
  readonly onchain: Pick<StoredOnchain, "tx_hash"> | null;
}

export interface PaymentReceipt extends SignedStatement {
  readonly payment_id: string;
  readonly chain_id: string | null;
}

/**
 * Returns the receipt of a payment, or null until the payee is paid. Ed25519 is deterministic, so the receipt is
 * computed each time that the payment is presented, and is the same as long as the signing key is.
 */
export function paymentReceipt(
  signer: Pick<StatementSigner, "keyId" | "sign">,
  facts: ReceiptFacts,
): PaymentReceipt | null {
  const { payment_id, mode, agent_id, wallet_id, network, token, paid_amount, to, settled_at, onchain } = facts;
  if (paid_amount === null || settled_at === null) return null;
  const statement = {
    payment_id,
    mode,
    agent_id,
    wallet_id,
    network,
    token,
    paid_amount,
    payee_address: to.address,
    settled_at,
  };
  if (mode === "test") return { payment_id, chain_id: null, ...signStatement(signer, RECEIPT_DOMAIN, statement) };
  const { chainId: chain_id } = networkFactsOf(network);
  const live = { ...statement, chain_id, tx_hash: onchain?.tx_hash ?? null };
  return { payment_id, chain_id, ...signStatement(signer, LIVE_RECEIPT_DOMAIN, live) };
}

import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { type BridgeEvents, closed, type OfAccount } from "./bridge-route.ts";
import { depositAddressOf, type Place, type Tokens } from "./tokens.ts";

export const TRANSFER = "transfer";

const Amount = Type.String({ pattern: "^[0-9]{1,9}(\\.[0-9]{1,2})?$" });
const Network = Type.Enum(["ethereum", "base", "polygon", "arbitrum", "optimism"]);
const Address = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const shared = {
  amount: Amount,
  on_behalf_of: Type.String(),
  developer_fee: Type.Optional(Amount),
  client_reference_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
};
export const TransferBody = Type.Union([
  closed({
    ...shared,
    source: closed({ currency: Type.Literal("usd"), payment_rail: Type.Enum(["ach_push", "wire"]) }),
    destination: closed({ currency: Type.Literal("usdc"), payment_rail: Network, to_address: Address }),
  }),
  closed({
    ...shared,
    source: closed({ currency: Type.Literal("usdc"), payment_rail: Network, from_address: Address }),
    destination: closed({
      currency: Type.Literal("usd"),
      payment_rail: Type.Enum(["ach", "ach_same_day", "wire"]),
      external_account_id: Type.String(),
      ach_reference: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9 ]{1,10}$" })),
    }),
  }),
]);

export interface TransferData extends OfAccount {
  readonly body: Static<typeof TransferBody>;
  readonly depositMessage: string;
  /** When the money came, in RFC 3339. Null until then. */
  readonly fundedAt: string | null;
  /** The transaction that has sent the tokens of an on-ramp. */
  readonly transactionHash?: string;
}
export type StoredTransfer = StoredObject<TransferData>;

const PAID = ["funds_received", "payment_submitted", "payment_processed"];
const RETURNED = ["returned", "refund_in_flight", "refunded"];
/** The states after `awaiting_funds`, by the end of the amount. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  ".13": [...PAID, ...RETURNED],
  ".14": ["funds_received", "error"],
  ".15": ["funds_received", "payment_submitted", "undeliverable"],
};
const statesOf = ({ data }: StoredTransfer) => STATES[data.body.amount.slice(-3)] ?? PAID;

export const TRANSFER_AMOUNTS = [
  { value: "amount ending in .13", effect: "the payment is processed, then returned and refunded" },
  { value: "amount ending in .14", effect: "the transfer ends in error after the money came" },
  { value: "amount ending in .15", effect: "the payment cannot be delivered" },
];

/** Timers fire up to a millisecond early. */
const LATE_MS = 20;

/** Moves transfers on. Each state after the money came lasts `stepMs`. */
export function createProgress(events: BridgeEvents, stepMs: number, tokens: Tokens) {
  /** Moves the transfer on as far as the clock allows, and reports each new state. Returns its state after that. */
  async function advance(context: VendorContext, id: string): Promise<StoredTransfer | undefined> {
    await fundIfTokensCame(context, id);
    const transfer = await context.objects.find<TransferData>(TRANSFER, id);
    if (transfer === undefined || transfer.data.fundedAt === null || transfer.state === "canceled") return transfer;
    const states = statesOf(transfer);
    const steps = Math.floor((context.now().getTime() - Date.parse(transfer.data.fundedAt)) / stepMs);
    let { state } = transfer;
    for (const next of states.slice(states.indexOf(state) + 1, steps + 1)) {
      if (!(await context.objects.claim(TRANSFER, id, state, next))) break;
      await sendTokens(context, transfer, next);
      await events.emit(context, "transfer.updated.status_transitioned", id);
      state = next;
    }
    return context.objects.find<TransferData>(TRANSFER, id);
  }

  /**
   * Records that the money came. Tokens that are on no chain come one step later, so that their transfer can still be deleted. Events
   * are then sent without further requests, if the clock goes on.
   */
  async function fund(context: VendorContext, { id, data }: StoredTransfer): Promise<void> {
    const delayMs = isOnRamp(data) || tokens.areOnChain(placeOf(data)) ? 0 : stepMs;
    const fundedAt = new Date(context.now().getTime() + delayMs).toISOString();
    await context.objects.update(TRANSFER, id, { data: { ...data, fundedAt } });
    const late = () => void advance(context, id).catch(() => {});
    for (const step of [...PAID, ...RETURNED].keys()) setTimeout(late, delayMs + step * stepMs + LATE_MS).unref();
  }

  async function fundIfTokensCame(context: VendorContext, id: string): Promise<void> {
    const transfer = await context.objects.find<TransferData>(TRANSFER, id);
    if (transfer === undefined || transfer.state !== "awaiting_funds") return;
    const { data } = transfer;
    const place = placeOf(data);
    if (data.fundedAt !== null || isOnRamp(data) || !tokens.areOnChain(place)) return;
    if (await tokens.haveCome(place, depositAddressOf(id), data.body.amount)) await fund(context, transfer);
  }

  /** Sends the tokens of an on-ramp, and returns those of an off-ramp to their sender. */
  async function sendTokens(context: VendorContext, { id, data }: StoredTransfer, state: string): Promise<void> {
    const { source, destination, amount, developer_fee: fee = "0" } = data.body;
    const place = placeOf(data);
    if (!tokens.areOnChain(place)) return;
    if ("to_address" in destination && state === "payment_processed") {
      const sent = (Number(amount) - Number(fee)).toFixed(2);
      const transactionHash = await tokens.send(place, destination.to_address, sent);
      await context.objects.update(TRANSFER, id, { data: { ...data, transactionHash } });
    }
    if ("from_address" in source && state === "refunded") await tokens.send(place, source.from_address, amount);
  }

  /** Whether the tokens of a new off-ramp are there at once, because they are on no chain. */
  const isFundedAtOnce = (data: TransferData) => !isOnRamp(data) && !tokens.areOnChain(placeOf(data));
  return { advance, fund, isFundedAtOnce };
}
export type Progress = ReturnType<typeof createProgress>;

/** Where the tokens of a transfer are. */
function placeOf({ account, body: { source, destination } }: TransferData): Place {
  return { account, rail: source.currency === "usd" ? destination.payment_rail : source.payment_rail };
}

export function isOnRamp({ body }: Pick<TransferData, "body">): boolean {
  return body.source.currency === "usd";
}

export function transferObject({ id, state, data, createdAt }: StoredTransfer): object {
  const { source, destination, amount, developer_fee: fee = "0.0", ...rest } = data.body;
  const isPaid = state === "payment_processed" || RETURNED.includes(state);
  const subtotal = (Number(amount) - Number(fee)).toFixed(2);
  const hash = createHash("sha256").update(id).digest("hex");
  const reference =
    destination.payment_rail === "wire" ? { imad: hash.slice(0, 22) } : { trace_number: "091000010000001" };
  return {
    id,
    client_reference_id: null,
    ...rest,
    state,
    amount,
    currency: "usd",
    developer_fee: fee,
    source,
    destination: { ...destination, ...(isPaid && !isOnRamp(data) && reference) },
    source_deposit_instructions: { ...source, amount, ...instructionsOf(id, data) },
    receipt: {
      initial_amount: amount,
      developer_fee: fee,
      exchange_fee: "0.0",
      subtotal_amount: subtotal,
      gas_fee: "0.0",
      final_amount: subtotal,
      ...(isPaid && isOnRamp(data) && { destination_tx_hash: data.transactionHash ?? `0x${hash}` }),
      // Bridge's pages name no field for this amount.
      ...(state === "refunded" && { refunded_amount: amount }),
    },
    ...(RETURNED.includes(state) && { return_details: { reason: "The account is closed" } }),
    created_at: createdAt.toISOString(),
    updated_at: data.fundedAt ?? createdAt.toISOString(),
  };
}

function instructionsOf(id: string, { depositMessage, ...data }: TransferData): object {
  if (!isOnRamp(data)) return { to_address: depositAddressOf(id) };
  return {
    deposit_message: depositMessage,
    bank_name: "Sandbox Bank",
    bank_routing_number: "101019644",
    bank_account_number: "215268129123",
    bank_beneficiary_name: "Bridge Building Inc.",
  };
}

import type { FreezeMode } from "../../src/foundation/vocabulary.ts";

/** One call of the API. Wallets, and the payments that were made, are numbered. Amounts are in whole dollars. */
export type Step =
  | { readonly kind: "fund"; readonly wallet: number; readonly amount: number }
  | {
      readonly kind: "send" | "authorize";
      readonly from: number;
      /** The number after the last wallet is an address that is no wallet. */
      readonly to: number;
      readonly amount: number;
    }
  | {
      readonly kind: "capture" | "refund";
      readonly payment: number;
      /** Undefined: everything. */
      readonly amount: number | undefined;
    }
  | { readonly kind: "void" | "cancel"; readonly payment: number }
  | { readonly kind: "freeze"; readonly wallet: number; readonly mode: FreezeMode }
  | { readonly kind: "unfreeze"; readonly wallet: number }
  /** The job that cancels what waits in frozen wallets. */
  | { readonly kind: "job" };

type StepOf<Kind extends Step["kind"]> = Extract<Step, { readonly kind: Kind }>;

export interface ModelPayment {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  status: string;
  paid: number;
  refunded: number;
}

interface ModelWallet {
  total: number;
  held: number;
  frozen: FreezeMode | null;
}

/** The rules of wallets and payments, in memory. All wallets pay under the cap of one project. */
export class PaymentModel {
  readonly wallets: readonly ModelWallet[];
  readonly payments: ModelPayment[] = [];
  readonly #cap: number;
  used = 0;

  constructor({ wallets, opening, cap }: Record<"wallets" | "opening" | "cap", number>) {
    this.wallets = Array.from({ length: wallets }, () => ({
      total: opening,
      held: 0,
      frozen: null,
    }));
    this.#cap = cap;
  }

  /** Returns the status of the response, with the error code of a refusal. */
  apply(step: Step): string {
    switch (step.kind) {
      case "fund":
        return this.#fund(step);
      case "send":
      case "authorize":
        return this.#send(step);
      case "freeze":
        return this.#freeze(step);
      case "unfreeze":
        return this.#unfreeze(step);
      case "job":
        for (const [wallet] of this.wallets.entries()) this.#cancelIfFrozen(wallet);
        return "done";
      default:
        return this.#change(step);
    }
  }

  #fund({ wallet, amount }: StepOf<"fund">): string {
    const funded = this.#wallet(wallet);
    if (funded?.frozen === "full") return "403 wallet_frozen";
    if (funded !== undefined) funded.total += amount;
    return "200";
  }

  #send({ kind, from, to, amount }: StepOf<"send" | "authorize">): string {
    const payer = this.#require(from);
    if (payer.frozen !== null || this.#wallet(to)?.frozen === "full") return "403 wallet_frozen";
    if (this.used + amount > this.#cap) return "403 cap_exceeded";
    if (payer.total - payer.held < amount) return "402 insufficient_funds";
    this.used += amount;
    const payment = { from, to, amount, refunded: 0 };
    if (kind === "authorize") {
      payer.held += amount;
      this.payments.push({ ...payment, status: "authorized", paid: 0 });
    } else {
      this.#move(from, to, amount);
      this.payments.push({ ...payment, status: "confirmed", paid: amount });
    }
    return "200";
  }

  #freeze({ wallet, mode }: StepOf<"freeze">): string {
    const frozen = this.#require(wallet);
    if (frozen.frozen !== "full") frozen.frozen = mode;
    return "204";
  }

  #unfreeze({ wallet }: StepOf<"unfreeze">): string {
    this.#cancelIfFrozen(wallet);
    this.#require(wallet).frozen = null;
    return "204";
  }

  #cancelIfFrozen(wallet: number): void {
    if (this.#require(wallet).frozen === null) return;
    for (const payment of this.payments) {
      if (payment.from === wallet && payment.status === "authorized") {
        this.#release(payment, "canceled");
      }
    }
  }

  #change(step: StepOf<"capture" | "refund" | "void" | "cancel">): string {
    const payment = this.payments[step.payment];
    if (payment === undefined) return "404 payment_not_found";
    if (step.kind === "capture") return this.#capture(payment, step.amount);
    if (step.kind === "refund") return this.#refund(payment, step.amount);
    if (payment.status !== "authorized") return "409 conflict";
    this.#release(payment, step.kind === "void" ? "voided" : "canceled");
    return "200";
  }

  #capture(payment: ModelPayment, amount = payment.amount): string {
    const { from, to, status } = payment;
    const payer = this.#require(from);
    if (payer.frozen !== null || this.#wallet(to)?.frozen === "full") return "403 wallet_frozen";
    if (status !== "authorized") return "409 conflict";
    if (amount > payment.amount) return "422 validation_error";
    this.#release(payment, "captured");
    this.used += amount;
    payment.paid = amount;
    this.#move(from, to, amount);
    return "200";
  }

  #refund(payment: ModelPayment, wanted: number | undefined): string {
    const { from, to } = payment;
    const payee = this.#wallet(to);
    if (payee === undefined) return "409 not_refundable";
    if (payee.frozen !== null || this.#require(from).frozen === "full") return "403 wallet_frozen";
    const left = payment.paid - payment.refunded;
    if (left === 0) return "409 not_refundable";
    const amount = wanted ?? left;
    if (amount > left) return "422 validation_error";
    if (payee.total - payee.held < amount) return "402 insufficient_funds";
    this.used -= amount;
    this.#move(to, from, amount);
    payment.refunded += amount;
    payment.status = payment.refunded === payment.paid ? "refunded" : "partially_refunded";
    return "200";
  }

  #release(payment: ModelPayment, status: string): void {
    this.#require(payment.from).held -= payment.amount;
    this.used -= payment.amount;
    payment.status = status;
  }

  #move(from: number, to: number, amount: number): void {
    this.#require(from).total -= amount;
    const payee = this.#wallet(to);
    if (payee !== undefined) payee.total += amount;
  }

  /** Returns undefined for an address that is no wallet. */
  #wallet(index: number): ModelWallet | undefined {
    return this.wallets[index];
  }

  #require(index: number): ModelWallet {
    const wallet = this.#wallet(index);
    if (wallet === undefined) throw new Error(`There is no wallet ${index}.`);
    return wallet;
  }
}

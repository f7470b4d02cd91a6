import type { App } from "../../app.ts";
import { listPaymentRows, type Payment, type PaymentFilter, type PaymentScope } from "./queries.ts";

export interface ListPayments extends Omit<PaymentFilter, "at"> {
  readonly scope: PaymentScope;
  /** The last payment on the previous page, or undefined for the first page. */
  readonly afterPaymentId: string | undefined;
  readonly limit: number;
}

/** Returns one page of the payments in scope, newest first. */
export async function listPayments(
  { db, clock }: Pick<App, "db" | "clock">,
  { scope, limit, ...filter }: ListPayments,
): Promise<{ readonly items: readonly Payment[]; readonly hasMore: boolean }> {
  const at = clock.now();
  const rows = await listPaymentRows(db, scope, { ...filter, at, limit: limit + 1 });
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}

import type { Payment, PolicyVerdict } from "../api/api-types.ts";

/** A payment as the client returns it, which leaves out fields that are always null. */
export type ShownPayment = Omit<Payment, "decision"> & { readonly decision: Omit<PolicyVerdict, "screening"> };

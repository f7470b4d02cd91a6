/** A test card with a name such as `pm_card_visa`. */
export interface TestMethod {
  readonly brand: string;
  readonly last4: string;
  /** The error when the card is attached or set up. Undefined if the card is accepted. */
  readonly declined?: {
    readonly code: "card_declined" | "expired_card";
    readonly declineCode?: string;
  };
  /** Whether the card can be attached and set up, but every charge is declined. */
  readonly declinedWhenCharged?: true;
  /** Whether setting up the card requires authentication by the cardholder. */
  readonly needsOwner?: true;
}

/** Stripe's test cards by name. Each use of a name creates a new payment method. */
const TEST_METHODS: Readonly<Record<string, TestMethod>> = {
  pm_card_visa: { brand: "visa", last4: "4242" },
  pm_card_mastercard: { brand: "mastercard", last4: "4444" },
  pm_card_amex: { brand: "amex", last4: "8431" },
  pm_card_chargeDeclined: {
    brand: "visa",
    last4: "0002",
    declined: { code: "card_declined", declineCode: "generic_decline" },
  },
  pm_card_chargeDeclinedInsufficientFunds: {
    brand: "visa",
    last4: "9995",
    declined: { code: "card_declined", declineCode: "insufficient_funds" },
  },
  pm_card_chargeDeclinedExpiredCard: {
    brand: "visa",
    last4: "0069",
    declined: { code: "expired_card" },
  },
  pm_card_chargeCustomerFail: { brand: "visa", last4: "0341", declinedWhenCharged: true },
  pm_card_authenticationRequired: { brand: "visa", last4: "3184", needsOwner: true },
};

export function testMethod(name: string): TestMethod | undefined {
  return Object.hasOwn(TEST_METHODS, name) ? TEST_METHODS[name] : undefined;
}

/**
 * Descriptions for the control page. Stripe accepts test cards only in test mode. The sandbox has no real cards, so it
 * accepts test cards in live mode too.
 */
export const TEST_METHOD_EFFECTS = Object.entries(TEST_METHODS).map(([name, method]) => ({
  value: `payment method ${name}`,
  effect: `${effectOf(method)}, in live mode too`,
}));

function effectOf({ brand, last4, declined, declinedWhenCharged, needsOwner }: TestMethod): string {
  const card = `${brand} ending in ${last4}`;
  if (declined) return `${card}; declined with ${declined.declineCode ?? declined.code} when attached or set up`;
  if (declinedWhenCharged) return `${card}; is attached and set up, but every charge is declined`;
  return needsOwner ? `${card}; its setup requires authentication` : `${card}; is attached and set up`;
}

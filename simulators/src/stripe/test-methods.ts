/** A test card with a name such as `pm_card_visa`. */
export interface TestMethod {
  readonly brand: string;
  readonly number: string;
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
  pm_card_visa: { brand: "visa", number: "4242424242424242" },
  pm_card_mastercard: { brand: "mastercard", number: "5555555555554444" },
  pm_card_amex: { brand: "amex", number: "371449635398431" },
  pm_card_chargeDeclined: {
    brand: "visa",
    number: "4000000000000002",
    declined: { code: "card_declined", declineCode: "generic_decline" },
  },
  pm_card_chargeDeclinedInsufficientFunds: {
    brand: "visa",
    number: "4000000000009995",
    declined: { code: "card_declined", declineCode: "insufficient_funds" },
  },
  pm_card_chargeDeclinedExpiredCard: {
    brand: "visa",
    number: "4000000000000069",
    declined: { code: "expired_card" },
  },
  pm_card_chargeCustomerFail: { brand: "visa", number: "4000000000000341", declinedWhenCharged: true },
  pm_card_authenticationRequired: { brand: "visa", number: "4000002760003184", needsOwner: true },
  pm_card_authenticationRequiredOnSetup: { brand: "visa", number: "4000002500003155", needsOwner: true },
};

export function testMethod(name: string): TestMethod | undefined {
  return Object.hasOwn(TEST_METHODS, name) ? TEST_METHODS[name] : undefined;
}

/** Returns the test card with this number. Stripe in test mode knows no other numbers. */
export function testMethodByNumber(number: string): TestMethod | undefined {
  return Object.values(TEST_METHODS).find((method) => method.number === number);
}

/**
 * Descriptions for the control page. Stripe accepts test cards only in test mode. The sandbox has no real cards, so it
 * accepts test cards in live mode too.
 */
export const TEST_METHOD_EFFECTS = Object.entries(TEST_METHODS).map(([name, method]) => ({
  value: `payment method ${name}, card number ${method.number}`,
  effect: `${effectOf(method)}, in live mode too`,
}));

function effectOf({ brand, number, declined, declinedWhenCharged, needsOwner }: TestMethod): string {
  const card = `${brand} ending in ${number.slice(-4)}`;
  if (declined) return `${card}; declined with ${declined.declineCode ?? declined.code} when attached or set up`;
  if (declinedWhenCharged) return `${card}; is attached and set up, but every charge is declined`;
  return needsOwner ? `${card}; its setup requires authentication` : `${card}; is attached and set up`;
}

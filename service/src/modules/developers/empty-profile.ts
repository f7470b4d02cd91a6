/**
 * The initial profile and KYB values. When the owner of an account's email address takes over the account, they replace
 * values that someone else may have entered.
 */
export const EMPTY_PROFILE = {
  name: null,
  companyName: null,
  website: null,
  country: null,
  timezone: "UTC",
  billingEmail: null,
  notificationPreferences: "{}",
  acceptedTermsVersion: null,
  kybStatus: "unverified",
  kybVerifiedAt: null,
  kybExpiresAt: null,
  kybReference: null,
} as const;

/**
 * The initial profile and KYB values. They replace the values that may have been entered by someone other than the
 * owner of the account's email address.
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

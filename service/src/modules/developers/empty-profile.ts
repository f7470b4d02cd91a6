/**
 * The initial profile and KYB (know-your-business) values. An account can be reset to these values when the owner of
 * its email address takes over the account, because another person may have entered the previous values.
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

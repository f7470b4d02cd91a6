/** The profile and KYB values to set when an account may have been created by a user other than its owner. */
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

/** An OAuth server must ignore parameters that it does not know (RFC 6749, section 3.2). */
export const IGNORES_UNKNOWN = {
  additionalProperties: true,
  description: "Unknown parameters are ignored, as in OAuth 2.0 (RFC 6749, section 3.2).",
} as const;

import type { IdentityProviderName } from "../../../foundation/vocabulary.ts";

/** What people call the providers. */
export const PROVIDER_NAMES: Readonly<Record<IdentityProviderName, string>> = {
  github: "GitHub",
  google: "Google",
};

import { recordOf } from "../../../foundation/record-of.ts";
import { displayNameOf, vendorNamesOf } from "../../../foundation/vendors/index.ts";
import type { IdentityProviderName } from "../../../foundation/vocabulary.ts";

/** Display names of the identity providers. */
export const PROVIDER_NAMES: Readonly<Record<IdentityProviderName, string>> = recordOf(
  vendorNamesOf("identity_provider"),
  displayNameOf,
);

import type { App } from "../../app.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { BankLink } from "../../ports/bank-link.ts";
import type { IdentityScreening } from "../../ports/identity-screening.ts";
import { providerNotConfigured } from "./ramp-access.ts";

/** Throws `provider_not_configured` if the operator has no account with the vendor in this mode. */
export function requireBankLink({ bankLink }: Pick<App, "bankLink">, mode: Mode): BankLink {
  const link = bankLink[mode];
  if (link === null) throw providerNotConfigured("Plaid", mode);
  return link;
}

/** Throws `provider_not_configured` if the operator has no account with the vendor in this mode. */
export function requireScreening({ identityScreening }: Pick<App, "identityScreening">, mode: Mode): IdentityScreening {
  const screening = identityScreening[mode];
  if (screening === null) throw providerNotConfigured("Plaid", mode);
  return screening;
}

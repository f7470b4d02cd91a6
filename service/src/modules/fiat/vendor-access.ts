import type { App } from "../../app.ts";
import type { Db } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { BankLink } from "../../ports/bank-link.ts";
import type { IdentityScreening } from "../../ports/identity-screening.ts";
import type { StablecoinRamp } from "../../ports/stablecoin-ramp.ts";
import { openProviderCredentials, providerNotConfigured } from "../provider-keys/provider-keys.ts";
import { providerKeyRows } from "../provider-keys/queries.ts";

/** Throws `provider_not_configured` if the operator has no account with the vendor in this mode. */
export function requireBankLink({ bankLink }: Pick<App, "bankLink">, mode: Mode): BankLink {
  const link = bankLink[mode];
  if (link === null) throw plaidNotConfigured(mode);
  return link;
}

/** Throws `provider_not_configured` if the operator has no account with the vendor in this mode. */
export function requireScreening({ identityScreening }: Pick<App, "identityScreening">, mode: Mode): IdentityScreening {
  const screening = identityScreening[mode];
  if (screening === null) throw plaidNotConfigured(mode);
  return screening;
}

/** Whose account at Bridge is used: the developer's own, if it has saved keys, or the operator's. */
type RampOwner = "developer" | "operator";

interface RampUser {
  readonly tenantId: TenantId;
  readonly mode: Mode;
}

/** Returns whose account a new use of Bridge is with. */
export async function getRampOwner(db: Db, user: RampUser): Promise<RampOwner> {
  const keys = await providerKeyRows.find(db, { ...user, provider: "bridge" });
  return keys === undefined ? "operator" : "developer";
}

/** Throws `provider_not_configured` if the keys are missing of the account that the holder is a customer of. */
export async function requireRampKeys(
  db: Db,
  { operatorKeys }: App["ramp"],
  customer: RampUser & { readonly rampOwner: RampOwner },
): Promise<void> {
  const { mode, rampOwner } = customer;
  const hasKeys =
    rampOwner === "operator" ? operatorKeys[mode] !== null : (await getRampOwner(db, customer)) === "developer";
  if (!hasKeys) throw providerNotConfigured("bridge", mode);
}

/** Opens Bridge with the keys of this account. Throws `provider_not_configured` if they are missing. */
export async function openRamp(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "ramp">,
  { tenantId, mode }: RampUser,
  owner: RampOwner,
): Promise<StablecoinRamp> {
  const apiKey =
    owner === "operator" ? app.ramp.operatorKeys[mode] : await openOwnKey(app, { tenantId, mode, provider: "bridge" });
  if (apiKey === null) throw providerNotConfigured("bridge", mode);
  return app.ramp.open({ mode, apiKey });
}

async function openOwnKey(...args: Parameters<typeof openProviderCredentials>): Promise<string | null> {
  const apiKey = (await openProviderCredentials(...args))?.["api_key"];
  return typeof apiKey === "string" ? apiKey : null;
}

/** Plaid has the operator's keys only. */
function plaidNotConfigured(mode: Mode): AppError {
  return new AppError("provider_not_configured", {
    internal: `Plaid has no keys in ${mode} mode`,
    detail: `This server has no keys for Plaid in ${mode} mode. Ask its operator to configure Plaid.`,
    nextAction: { type: "contact_operator", actor: "human" },
  });
}

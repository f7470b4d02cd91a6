import type { App } from "../../app.ts";
import type { Db } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { BankLink } from "../../ports/bank-link.ts";
import type { IdentityScreening } from "../../ports/identity-screening.ts";
import type { StablecoinRamp } from "../../ports/stablecoin-ramp.ts";
import { openProviderCredentials } from "../provider-keys/provider-keys.ts";
import { providerKeyRows } from "../provider-keys/queries.ts";

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
  if (!hasKeys) throw providerNotConfigured("Bridge", mode);
}

/** Opens Bridge with the keys of this account. Throws `provider_not_configured` if they are missing. */
export async function openRamp(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "ramp">,
  { tenantId, mode }: RampUser,
  owner: RampOwner,
): Promise<StablecoinRamp> {
  const apiKey =
    owner === "operator" ? app.ramp.operatorKeys[mode] : await openOwnKey(app, { tenantId, mode, provider: "bridge" });
  if (apiKey === null) throw providerNotConfigured("Bridge", mode);
  return app.ramp.open({ mode, apiKey });
}

async function openOwnKey(...args: Parameters<typeof openProviderCredentials>): Promise<string | null> {
  const apiKey = (await openProviderCredentials(...args))?.["api_key"];
  return typeof apiKey === "string" ? apiKey : null;
}

/** A vendor that neither the developer nor the operator has an account with. */
function providerNotConfigured(vendor: "Bridge" | "Plaid", mode: Mode): AppError {
  const isOwn = vendor === "Bridge";
  return new AppError("provider_not_configured", {
    internal: `${vendor} has no keys in ${mode} mode`,
    detail: isOwn
      ? `There are no keys for Bridge in ${mode} mode. Save your own with PUT /developers/provider-keys/bridge, or ask the operator of this server to configure Bridge.`
      : `This server has no keys for ${vendor} in ${mode} mode. Ask its operator to configure ${vendor}.`,
    nextAction: isOwn
      ? { type: "save_provider_keys", actor: "human", url: "/api/v1/svc/developers/provider-keys/bridge" }
      : { type: "contact_operator", actor: "human" },
  });
}

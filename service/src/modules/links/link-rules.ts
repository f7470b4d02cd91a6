import type { App } from "../../app.ts";
import { AppError } from "../../foundation/errors.ts";
import type { LinkError } from "../../foundation/vocabulary.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import type { Project } from "../projects/queries.ts";
import type { Link } from "./queries.ts";

/** Returns the provider's adapter. Throws `provider_unavailable` if the provider is not configured. */
export function requireProvider({ providers }: Pick<App, "providers">, name: string): ServiceProvider {
  const provider = providers.get(name);
  if (provider !== undefined) return provider;
  throw new AppError("provider_unavailable", {
    detail: `${name} is not configured on this server.`,
  });
}

/**
 * Returns true if the project can be linked to a provider. An active project can be linked. A project whose deletion
 * failed can be linked only if it still has services from the provider: the old link may have caused the failure, and
 * with a new link the deletion can finish.
 */
export function isLinkable(project: Pick<Project, "status"> | undefined, linksInUse: readonly Link[]): boolean {
  if (project?.status === "delete_failed") return linksInUse.length > 0;
  return project?.status === "active";
}

type Account = Pick<Link, "accountId" | "accountLabel">;

/**
 * Returns true if two links belong to the same provider account. Accounts are compared by ID, or by label if the
 * provider has no account IDs.
 */
export function isSameAccount(one: Account, other: Account): boolean {
  if (one.accountId !== other.accountId) return false;
  return one.accountId !== null || one.accountLabel === other.accountLabel;
}

const REJECTIONS: ReadonlySet<VendorFailure> = new Set(["refused", "unauthorized", "not_found"]);

/** Returns true if the provider rejected the call. Any other failure means that there was no usable response. */
export function isRejection({ failure }: VendorError): boolean {
  return REJECTIONS.has(failure);
}

/** Returns why linking failed, if a call to the provider threw this error. Rethrows any other error. */
export function linkFailureOf(thrown: unknown, ifRejected: LinkError): { readonly error: LinkError } {
  if (!(thrown instanceof VendorError)) throw thrown;
  return { error: isRejection(thrown) ? ifRejected : "provider_unavailable" };
}

export function linkNotFound(linkId: string): AppError {
  return new AppError("link_not_found", { internal: `the project has no link ${linkId}` });
}

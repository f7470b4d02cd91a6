import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { getProjectRow, type ProjectKey } from "../queries.ts";
import { completionOf } from "./link-completion.ts";
import { type LinkCompletion, type LinkView, statusAt } from "./link-resource.ts";
import { openPending } from "./link-secrets.ts";
import { findLink, findLinkSecret, type Link } from "./queries.ts";

export interface GetLink {
  readonly key: ProjectKey;
  readonly linkId: string;
  /**
   * If true, the result includes the secrets that complete a pending link. Set it only if the caller can link
   * providers.
   */
  readonly canComplete: boolean;
}

type LinkApp = Pick<App, "db" | "clock" | "settings" | "keyEncryptionKey" | "vaults" | "providers">;

/** Returns one of the project's links. Throws `project_not_found` or `link_not_found`. */
export async function getLink(app: LinkApp, { key, linkId, canComplete }: GetLink): Promise<LinkView> {
  const project = await getProjectRow(app.db, key);
  const link = await findLink(app.db, project, linkId);
  if (link === undefined) throw linkNotFound(linkId);
  return { link, completion: canComplete ? await loadCompletion(app, link) : null };
}

export function linkNotFound(linkId: string): AppError {
  return new AppError("link_not_found", { internal: `the project has no link ${linkId}` });
}

async function loadCompletion(app: LinkApp, link: Link): Promise<LinkCompletion | null> {
  if (statusAt(link, app.clock.now()) !== "pending_auth") return null;
  const vault = await openVault(app, link.tenantId);
  const secret = await withTransaction(app.db, link.tenantId, (tx) => findLinkSecret(tx, link));
  const sealed = secret?.pendingSealed ?? null;
  return sealed === null ? null : completionOf(app, link, openPending(vault, link.linkId, sealed));
}

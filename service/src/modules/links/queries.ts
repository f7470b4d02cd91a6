import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inTurns, type ListedPage, type Page, readNewest } from "../../db/pages.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { deleteWhere, rowsWhere, selectWhere, updateWhere } from "../../db/where.ts";
import type { LinkId } from "../../foundation/ids.ts";

export const linkRows = tableOf("providerLinks", ["tenantId", "linkId"]);

export const linkSecretRows = tableOf("providerLinkSecrets", ["tenantId", "linkId"]);

export const linkStateRows = tableOf("linkStates", ["tenantId", "stateHash"]);

export type Link = Row<"providerLinks">;

type LinkSecret = Selectable<Schema["providerLinkSecrets"]>;
export type LinkState = Selectable<Schema["linkStates"]>;

/** Identifies a link within a tenant, in any project. */
export type LinkKey = Pick<Link, "tenantId" | "linkId">;

type LinkedProject = Pick<Link, "tenantId" | "projectId">;

/** A project and a provider. A project has at most one active link (status `linked`) to each provider. */
export type ProjectProvider = Pick<Link, "tenantId" | "projectId" | "provider">;

/** Returns the active link (status `linked`), or undefined. New services from the provider use it. */
export async function findActiveLink(db: Db, key: ProjectProvider): Promise<Link | undefined> {
  return selectLinks(db, key).where("provider", "=", key.provider).where("status", "=", "linked").executeTakeFirst();
}

function selectLinks(db: Db, { tenantId, projectId }: LinkedProject) {
  return rowsWhere(db, "providerLinks", { tenantId, projectId });
}

/** Returns a link of the project, or undefined. */
export async function findLink(db: Db, project: LinkedProject, linkId: string): Promise<Link | undefined> {
  return selectLinks(db, project)
    .where("linkId", "=", linkId as LinkId)
    .executeTakeFirst();
}

export async function listLinkRows(
  db: Db,
  project: LinkedProject,
  { after, limit }: Page<string>,
): Promise<ListedPage<Link>> {
  const links = selectLinks(db, project);
  return readNewest(links, { tenantId: project.tenantId, table: "providerLinks", column: "linkId" }, { after, limit });
}

/** Returns the project's pending links to the provider. The caller must have locked the project. */
export async function listPendingLinks(tx: Tx, key: ProjectProvider): Promise<Link[]> {
  return selectLinks(tx, key)
    .where("provider", "=", key.provider)
    .where("status", "=", "pending_auth")
    .orderBy("linkId")
    .execute();
}

/** Returns the project's linked and pending links. The caller must have locked the project. */
export async function listUnendedLinks(tx: Tx, project: LinkedProject): Promise<Link[]> {
  return selectLinks(tx, project).where("status", "in", ["pending_auth", "linked"]).orderBy("linkId").execute();
}

/**
 * Inserts a link and its encrypted secrets. Also inserts the hash of its OAuth state or token form key, which is used
 * to find the link.
 */
export async function insertPendingLink(
  tx: Tx,
  link: Insertable<Schema["providerLinks"]>,
  { pendingSealed, stateHash }: { readonly pendingSealed: Buffer; readonly stateHash: string },
): Promise<Link> {
  const { tenantId, linkId, expiresAt } = link;
  const inserted = await linkRows.insertAndGet(tx, link);
  await linkSecretRows.insert(tx, { tenantId, linkId, pendingSealed });
  await linkStateRows.insert(tx, { stateHash, tenantId, linkId, expiresAt });
  return inserted;
}

/** Deletes the link's secrets. Increments their version, so that a refresh in progress cannot store its tokens. */
export async function destroyLinkSecret(tx: Tx, { tenantId, linkId }: LinkKey): Promise<void> {
  await updateWhere(tx, "providerLinkSecrets", { tenantId, linkId })
    .set(({ eb }) => ({
      pendingSealed: null,
      accessSealed: null,
      accessExpiresAt: null,
      version: eb("version", "+", 1),
    }))
    .execute();
}

/** Stores refreshed tokens and increments their version. Returns false if the stored version is not `version`. */
export async function replaceAccess(
  tx: Tx,
  { tenantId, linkId }: LinkKey,
  { version, ...access }: Pick<LinkSecret, "version" | "accessSealed" | "accessExpiresAt">,
): Promise<boolean> {
  const replaced = await updateWhere(tx, "providerLinkSecrets", { tenantId, linkId, version })
    .set({ ...access, version: version + 1 })
    .returning("version")
    .executeTakeFirst();
  return replaced !== undefined;
}

/**
 * Returns the link for the hash of an OAuth state or token form key that is unused or, with `isUsed`, used. Undefined if the
 * state or key is unknown, or expired at `at`.
 */
export async function findLinkState(
  db: Db,
  { stateHash, at, isUsed = false }: { readonly stateHash: string; readonly at: Date; readonly isUsed?: boolean },
): Promise<LinkKey | undefined> {
  return selectWhere(db, "linkStates", { stateHash })
    .select(["tenantId", "linkId"])
    .where("expiresAt", ">", at)
    .where("usedAt", isUsed ? "is not" : "is", null)
    .executeTakeFirst();
}

/**
 * Marks an OAuth state or token form key as used and returns its link. Undefined if the state or key is already used or
 * has expired. Only one of several concurrent calls succeeds.
 */
export async function useLinkState(
  tx: Tx,
  { tenantId, stateHash, at }: Pick<LinkState, "tenantId" | "stateHash"> & { readonly at: Date },
): Promise<LinkKey | undefined> {
  return updateWhere(tx, "linkStates", { stateHash, tenantId })
    .set({ usedAt: at })
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .returning(["tenantId", "linkId"])
    .executeTakeFirst();
}

/** Yields the OAuth states and token form keys of all tenants that have expired by `at`, the longest due first. */
export function expiredStates(db: Db, at: Date): AsyncGenerator<LinkState> {
  return inTurns<LinkState>(db, ["expiresAt", "stateHash"], () =>
    db.selectFrom("linkStates").selectAll().where("expiresAt", "<=", at),
  );
}

/**
 * Returns the status of a link's project and locks the project until the transaction ends. Returns undefined if the
 * project is deleted.
 */
export async function lockProjectOfLink(
  tx: Tx,
  { tenantId, projectId }: Pick<Link, "tenantId" | "projectId">,
): Promise<Pick<Selectable<Schema["projects"]>, "status"> | undefined> {
  return selectWhere(tx, "projects", { tenantId, projectId })
    .select("status")
    .where("deletedAt", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Selects services that have, or may have, a resource at the provider. */
function selectServicesInUse(db: Db, { tenantId, projectId, provider }: ProjectProvider) {
  return selectWhere(db, "services", { tenantId, projectId, provider }).where("services.status", "not in", [
    "removed",
    "failed",
  ]);
}

/** Returns the links used by the project's services from the provider. The caller must have locked the project. */
export async function listLinksInUse(tx: Tx, key: ProjectProvider): Promise<Link[]> {
  const inUse = selectServicesInUse(tx, key).select("services.linkId");
  return selectLinks(tx, key).where("linkId", "in", inUse).execute();
}

/** Moves the project's services from the provider to another link. The caller must have locked the project. */
export async function moveServices(
  tx: Tx,
  { tenantId, projectId, provider }: ProjectProvider,
  linkId: LinkId,
): Promise<void> {
  await updateWhere(tx, "services", { tenantId, projectId, provider })
    .set({ linkId })
    .where("status", "not in", ["removed", "failed"])
    .where("linkId", "!=", linkId)
    .execute();
}

const isUnchecked = (before: Date) => sql<boolean>`coalesce(inventory_checked_at < ${before}, true)`;

/** Yields the active links to these providers whose account was last checked before `before`. */
export function uncheckedLinks(db: Db, before: Date, providers: readonly string[]): AsyncGenerator<Link> {
  return inTurns<Link>(db, ["tenantId", "linkId"], () =>
    rowsWhere(db, "providerLinks", { status: "linked" })
      .where(sql<boolean>`provider = any(${providers}::text[])`)
      .where(isUnchecked(before)),
  );
}

/**
 * Records the check of the link's account with all active links to it. Returns false if the account has been checked since
 * `before`.
 */
export async function claimUncheckedAccount(
  tx: Tx,
  { tenantId, linkId, provider, accountId }: Link,
  { before, at }: { readonly before: Date; readonly at: Date },
): Promise<boolean> {
  const claimed = await updateWhere(tx, "providerLinks", { tenantId, provider, status: "linked" })
    .set({ inventoryCheckedAt: at })
    .where(({ eb, or }) => or([eb("linkId", "=", linkId), eb("accountId", "=", accountId)]))
    .where(isUnchecked(before))
    .returning("linkId")
    .execute();
  return claimed.some((link) => link.linkId === linkId);
}

/** Replaces the link's OAuth state by one that the provider chose. Returns false, without a change, if it was used before. */
export async function replaceLinkState(
  tx: Tx,
  { tenantId, linkId, expiresAt }: Pick<Link, "tenantId" | "linkId" | "expiresAt">,
  stateHash: string,
): Promise<boolean> {
  if (!(await linkStateRows.insertIfNew(tx, { stateHash, tenantId, linkId, expiresAt }))) return false;
  await deleteWhere(tx, "linkStates", { tenantId, linkId }).where("stateHash", "!=", stateHash).execute();
  return true;
}

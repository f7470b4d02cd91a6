import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { ProviderLinkTable, Schema } from "../../../db/schema.ts";
import type { LinkId, ProjectId, TenantId } from "../../../foundation/ids.ts";

export type Link = Selectable<ProviderLinkTable>;

type LinkSecret = Selectable<Schema["providerLinkSecrets"]>;
type LinkState = Selectable<Schema["linkStates"]>;

/** A link of a tenant's, wherever it is. */
export type LinkKey = Pick<Link, "tenantId" | "linkId">;

/** A project that has been found and is the caller's to reach. */
type LinkedProject = Pick<Link, "tenantId" | "projectId">;

/** A project's place for one account of a provider. */
export interface LinkOwner {
  readonly tenantId: TenantId;
  readonly projectId: ProjectId;
  readonly provider: string;
}

/** The link that services of this provider are made under, or undefined. */
export async function getLinkInForce(db: Db, place: LinkOwner): Promise<Link | undefined> {
  return selectLinks(db, place)
    .where("provider", "=", place.provider)
    .where("status", "=", "linked")
    .executeTakeFirst();
}

function selectLinks(db: Db, { tenantId, projectId }: LinkedProject) {
  return db
    .selectFrom("providerLinks")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId);
}

/** A link of the project, or undefined. */
export async function findLink(
  db: Db,
  project: LinkedProject,
  linkId: string,
): Promise<Link | undefined> {
  return selectLinks(db, project)
    .where("linkId", "=", linkId as LinkId)
    .executeTakeFirst();
}

/** A page of the project's links, newest first, from behind `afterLinkId` on. */
export async function listLinkRows(
  db: Db,
  project: LinkedProject,
  { afterLinkId, limit }: { readonly afterLinkId: string | undefined; readonly limit: number },
): Promise<Link[]> {
  let links = selectLinks(db, project);
  if (afterLinkId !== undefined) {
    links = links.where(
      sql<boolean>`(created_at, link_id) < (select created_at, link_id from provider_links
        where tenant_id = ${project.tenantId} and link_id = ${afterLinkId})`,
    );
  }
  return links.orderBy("createdAt", "desc").orderBy("linkId", "desc").limit(limit).execute();
}

/** The tenant's link, locked until the transaction ends, or undefined. */
export async function lockLink(tx: Tx, { tenantId, linkId }: LinkKey): Promise<Link | undefined> {
  return tx
    .selectFrom("providerLinks")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("linkId", "=", linkId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** The tenant's link, or undefined. */
export async function getLinkRow(db: Db, { tenantId, linkId }: LinkKey): Promise<Link | undefined> {
  return db
    .selectFrom("providerLinks")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("linkId", "=", linkId)
    .executeTakeFirst();
}

/** The links that wait to be completed at this place. The caller holds the project locked. */
export async function listPendingLinks(tx: Tx, place: LinkOwner): Promise<Link[]> {
  return selectLinks(tx, place)
    .where("provider", "=", place.provider)
    .where("status", "=", "pending_auth")
    .orderBy("linkId")
    .execute();
}

/** The project's links that are in force or wait to be completed. The caller holds the project locked. */
export async function listUnendedLinks(tx: Tx, project: LinkedProject): Promise<Link[]> {
  return selectLinks(tx, project)
    .where("status", "in", ["pending_auth", "linked"])
    .orderBy("linkId")
    .execute();
}

/** Adds a link together with what completes it, and the hash of what is looked for. */
export async function insertPendingLink(
  tx: Tx,
  link: Insertable<ProviderLinkTable>,
  { pendingSealed, stateHash }: { readonly pendingSealed: Buffer; readonly stateHash: string },
): Promise<Link> {
  const { tenantId, linkId, expiresAt } = link;
  const inserted = await tx
    .insertInto("providerLinks")
    .values(link)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.insertInto("providerLinkSecrets").values({ tenantId, linkId, pendingSealed }).execute();
  await tx.insertInto("linkStates").values({ stateHash, tenantId, linkId, expiresAt }).execute();
  return inserted;
}

/** Changes a link that the caller holds locked, or whose project they do. */
export async function updateLink(
  tx: Tx,
  { tenantId, linkId }: LinkKey,
  change: Updateable<ProviderLinkTable>,
): Promise<Link> {
  return tx
    .updateTable("providerLinks")
    .set(change)
    .where("tenantId", "=", tenantId)
    .where("linkId", "=", linkId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What is kept sealed of a link. Read in a transaction of the tenant. */
export async function getLinkSecret(
  tx: Tx,
  { tenantId, linkId }: LinkKey,
): Promise<LinkSecret | undefined> {
  return tx
    .selectFrom("providerLinkSecrets")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("linkId", "=", linkId)
    .executeTakeFirst();
}

/** Puts other secrets in the place of the link's. The caller holds the link locked. */
export async function updateLinkSecret(
  tx: Tx,
  { tenantId, linkId }: LinkKey,
  change: Partial<Pick<LinkSecret, "pendingSealed" | "accessSealed" | "accessExpiresAt">>,
): Promise<void> {
  await tx
    .updateTable("providerLinkSecrets")
    .set(change)
    .where("tenantId", "=", tenantId)
    .where("linkId", "=", linkId)
    .execute();
}

/** Destroys the link's secrets. Whoever holds a refreshed token of it finds the version gone. */
export async function destroyLinkSecret(tx: Tx, { tenantId, linkId }: LinkKey): Promise<void> {
  await tx
    .updateTable("providerLinkSecrets")
    .set(({ eb }) => ({
      pendingSealed: null,
      accessSealed: null,
      accessExpiresAt: null,
      version: eb("version", "+", 1),
    }))
    .where("tenantId", "=", tenantId)
    .where("linkId", "=", linkId)
    .execute();
}

/** Stores refreshed tokens as the version after `version`. False where somebody else was first. */
export async function replaceAccess(
  tx: Tx,
  { tenantId, linkId }: LinkKey,
  { version, ...access }: Pick<LinkSecret, "version" | "accessSealed" | "accessExpiresAt">,
): Promise<boolean> {
  const replaced = await tx
    .updateTable("providerLinkSecrets")
    .set({ ...access, version: version + 1 })
    .where("tenantId", "=", tenantId)
    .where("linkId", "=", linkId)
    .where("version", "=", version)
    .returning("version")
    .executeTakeFirst();
  return replaced !== undefined;
}

/** Which link a state or a form's key belongs to, unless it is unknown, used, or over by `at`. */
export async function findLinkState(
  db: Db,
  { stateHash, at }: { readonly stateHash: string; readonly at: Date },
): Promise<LinkKey | undefined> {
  return selectLinkState(db, stateHash, at).where("usedAt", "is", null).executeTakeFirst();
}

/** Which link a state was used for, unless the state has expired by `at`. */
export async function findUsedLinkState(
  db: Db,
  { stateHash, at }: { readonly stateHash: string; readonly at: Date },
): Promise<LinkKey | undefined> {
  return selectLinkState(db, stateHash, at).where("usedAt", "is not", null).executeTakeFirst();
}

function selectLinkState(db: Db, stateHash: string, at: Date) {
  return db
    .selectFrom("linkStates")
    .select(["tenantId", "linkId"])
    .where("stateHash", "=", stateHash)
    .where("expiresAt", ">", at);
}

/** Uses a state up. Undefined where it cannot be used by `at`; of any number that try at once, one gets it. */
export async function useLinkState(
  tx: Tx,
  { tenantId, stateHash, at }: Pick<LinkState, "tenantId" | "stateHash"> & { readonly at: Date },
): Promise<LinkKey | undefined> {
  return tx
    .updateTable("linkStates")
    .set({ usedAt: at })
    .where("stateHash", "=", stateHash)
    .where("tenantId", "=", tenantId)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .returning(["tenantId", "linkId"])
    .executeTakeFirst();
}

/** The states that are over by `at`, oldest first. */
export async function listExpiredStates(
  db: Db,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<LinkState[]> {
  return db
    .selectFrom("linkStates")
    .selectAll()
    .where("expiresAt", "<=", at)
    .orderBy("expiresAt")
    .limit(limit)
    .execute();
}

export async function deleteLinkState(
  tx: Tx,
  { tenantId, stateHash }: Pick<LinkState, "tenantId" | "stateHash">,
): Promise<void> {
  await tx
    .deleteFrom("linkStates")
    .where("stateHash", "=", stateHash)
    .where("tenantId", "=", tenantId)
    .execute();
}

/** A link's project, locked until the transaction ends against whoever would change it. Undefined where it is deleted. */
export async function lockProjectOfLink(
  tx: Tx,
  { tenantId, projectId }: Pick<Link, "tenantId" | "projectId">,
): Promise<Pick<Selectable<Schema["projects"]>, "status"> | undefined> {
  return tx
    .selectFrom("projects")
    .select("status")
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("deletedAt", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** The services that are, or are becoming, something at the provider. */
function selectServicesInUse(db: Db, { tenantId, projectId, provider }: LinkOwner) {
  return db
    .selectFrom("services")
    .where("services.tenantId", "=", tenantId)
    .where("services.projectId", "=", projectId)
    .where("services.provider", "=", provider)
    .where("services.status", "not in", ["removed", "failed"]);
}

/** The links that services of this place were made under. The caller holds the project locked. */
export async function listLinksInUse(tx: Tx, place: LinkOwner): Promise<Link[]> {
  const inUse = selectServicesInUse(tx, place).select("services.linkId");
  return selectLinks(tx, place).where("linkId", "in", inUse).execute();
}

/** Has the services of this place reached through another link. The caller holds the project locked. */
export async function moveServices(
  tx: Tx,
  { tenantId, projectId, provider }: LinkOwner,
  linkId: LinkId,
): Promise<void> {
  await tx
    .updateTable("services")
    .set({ linkId })
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("provider", "=", provider)
    .where("status", "not in", ["removed", "failed"])
    .where("linkId", "!=", linkId)
    .execute();
}

/** What people call a link's project, be it deleted by now. */
export async function getProjectName(
  db: Db,
  { tenantId, projectId }: Pick<Link, "tenantId" | "projectId">,
): Promise<string> {
  const { name } = await db
    .selectFrom("projects")
    .select("name")
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .executeTakeFirstOrThrow();
  return name;
}

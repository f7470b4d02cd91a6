import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ProviderAccess, ProviderTokens } from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { openVault, type TenantVault } from "../../vault/vault.ts";
import { isRejection, isSameAccount } from "./link-rules.ts";
import { openAccess, sealAccess } from "./link-secrets.ts";
import { endLink } from "./links.ts";
import { findActiveLink, type Link, type LinkKey, linkRows, linkSecretRows, replaceAccess } from "./queries.ts";
import { insertRevocation } from "./revocations/queries.ts";

/** A token that expires within this time is refreshed before use, because a provider call can take that long. */
const REFRESH_BEFORE_MS = 60_000;
/**
 * How long to wait for another process to store new tokens after the provider has rejected the refresh token. The
 * rejection usually means that another process has just used the token. The time is enough for a provider call (timeout
 * 10 seconds) and for the transaction that stores the tokens.
 */
const OTHER_REFRESH_WAIT_MS = 15_000;
const POLL_INTERVAL_MS = 100;
const POLL_INTERVAL_MS_MAX = 1_000;

type LinkApp = Pick<App, "db" | "clock" | "log" | "keyEncryptionKey" | "vaults" | "providers">;

interface Waiting {
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Returns the access token of a linked account. Refreshes the token first if it expires soon. Call it outside a
 * transaction. Some providers accept a refresh token only once. If several calls refresh at the same time, only one new
 * token is stored, and all calls return it. If a newer link to the same account has replaced this link, the newer
 * link's token is returned.
 *
 * Throws:
 * - `provider_not_linked` if the link is not active, if its token cannot be refreshed, or if the provider rejects its
 *   refresh token (this ends the link)
 * - `VendorError` if the provider does not respond
 * - `provider_unavailable` if the provider rejects the refresh for another reason, such as a wrong client secret
 */
export async function openProviderAccess(
  app: LinkApp,
  key: LinkKey,
  { pause = delay }: Waiting = {},
): Promise<ProviderAccess> {
  const vault = await openVault(app, key.tenantId);
  const stored = await loadAccess(app, vault, key);
  if (!expiresSoon(app, stored)) return accessOf(stored);

  const tokens = await refresh(app, stored).catch((thrown: unknown) => {
    if (!(thrown instanceof VendorError) || !isRejection(thrown)) throw thrown;
    // The provider rejected the refresh token itself (RFC 6749, section 5.2), not the OAuth client.
    if (thrown.vendorCode === "invalid_grant") return undefined;
    throw clientRejected(app, stored, thrown);
  });
  if (tokens === undefined) return accessOf(await awaitOtherRefresh(app, vault, stored, pause));
  const isSaved = await saveTokens(app, vault, stored, tokens);
  return accessOf(isSaved ? { ...stored, ...tokens } : await loadAccess(app, vault, key));
}

/** The tokens of an active link, with their version. */
interface StoredAccess extends ProviderTokens {
  readonly link: Link;
  readonly version: number;
}

async function loadAccess(app: LinkApp, vault: TenantVault, key: LinkKey): Promise<StoredAccess> {
  const { link, secret } = await withTransaction(app.db, key.tenantId, async (tx) => {
    const link = await findUsableLink(tx, key);
    return { link, secret: link === undefined ? undefined : await linkSecretRows.find(tx, link) };
  });
  const sealed = secret?.accessSealed ?? null;
  if (link === undefined || secret === undefined || sealed === null) {
    throw notLinked(`${key.linkId} is not active`);
  }
  const { version, accessExpiresAt: expiresAt } = secret;
  const { linkId } = link;
  return { link, version, expiresAt, ...openAccess(vault, { linkId, version }, sealed) };
}

/** Returns the link if it is active, otherwise the active link to the same account that replaced it, if any. */
async function findUsableLink(tx: Tx, key: LinkKey): Promise<Link | undefined> {
  const link = await linkRows.find(tx, key);
  if (link === undefined || link.status === "linked") return link;
  const active = await findActiveLink(tx, link);
  return active !== undefined && isSameAccount(active, link) ? active : undefined;
}

function expiresSoon({ clock }: LinkApp, { expiresAt }: StoredAccess): boolean {
  return expiresAt !== null && expiresAt.getTime() - clock.now().getTime() <= REFRESH_BEFORE_MS;
}

function accessOf({ accessToken, link }: StoredAccess): ProviderAccess {
  return { accessToken, accountId: link.accountId };
}

async function refresh(app: LinkApp, { link, refreshToken }: StoredAccess): Promise<ProviderTokens> {
  const oauth = app.providers.get(link.provider)?.oauth ?? null;
  if (oauth === null || refreshToken === null) {
    throw notLinked(`${link.linkId} has expired and cannot be refreshed`);
  }
  const tokens = await oauth.refresh(refreshToken);
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
}

/**
 * Stores refreshed tokens and increments their version. Returns false if other tokens were stored first, or if the link has
 * ended. In the latter case, the tokens are revoked by a job.
 */
async function saveTokens(
  { db, clock }: LinkApp,
  vault: TenantVault,
  { link, version: before }: StoredAccess,
  tokens: ProviderTokens,
): Promise<boolean> {
  const version = before + 1;
  const accessSealed = sealAccess(vault, { linkId: link.linkId, version }, tokens);
  const access = { version: before, accessSealed, accessExpiresAt: tokens.expiresAt };
  return withTransaction(db, link.tenantId, async (tx) => {
    if (await replaceAccess(tx, link, access)) return true;
    const account = await linkRows.lock(tx, link);
    if (account === undefined || account.status === "linked") return false;
    await insertRevocation(tx, { link, account, version, accessSealed, at: clock.now() });
    return false;
  });
}

/**
 * Logs that the provider rejected the OAuth client, not the refresh token, and returns the error to throw. The link
 * stays active, because the operator can correct the client's configuration.
 */
function clientRejected({ log }: LinkApp, { link }: StoredAccess, rejection: VendorError): AppError {
  const { vendor, failure, vendorCode, vendorMessage } = rejection;
  log.error(
    { linkId: link.linkId, vendor, failure, vendorCode, vendorMessage },
    "provider rejected the OAuth app: check its client id and secret",
  );
  const internal = `${vendor} rejected the refresh of ${link.linkId}`;
  return new AppError("provider_unavailable", { internal, cause: rejection });
}

/**
 * Call it after the provider rejected the refresh token, which another process may have used. Waits for that process to
 * store new tokens. If none are stored in time, the link expires.
 */
async function awaitOtherRefresh(
  app: LinkApp,
  vault: TenantVault,
  stored: StoredAccess,
  pause: NonNullable<Waiting["pause"]>,
): Promise<StoredAccess> {
  let waitedMs = 0;
  for (let pauseMs = POLL_INTERVAL_MS; ; pauseMs = Math.min(2 * pauseMs, POLL_INTERVAL_MS_MAX)) {
    const latest = await loadAccess(app, vault, stored.link);
    const isOther = latest.link.linkId !== stored.link.linkId || latest.version !== stored.version;
    if (isOther) return latest;
    if (waitedMs >= OTHER_REFRESH_WAIT_MS) break;
    await pause(pauseMs);
    waitedMs += pauseMs;
  }
  await expireLink(app, stored);
  const { provider, linkId } = stored.link;
  throw notLinked(`${provider} rejected the refresh token of ${linkId}`);
}

async function expireLink(app: LinkApp, { link, version }: StoredAccess): Promise<void> {
  const at = app.clock.now();
  await withTransaction(app.db, link.tenantId, async (tx) => {
    const current = await linkRows.lock(tx, link);
    const secret = await linkSecretRows.find(tx, link);
    if (current?.status !== "linked" || secret?.version !== version) return;
    await endLink(tx, systemActor(link), { link: current, end: { status: "expired" }, at });
  });
}

function notLinked(internal: string): AppError {
  return new AppError("provider_not_linked", { internal });
}

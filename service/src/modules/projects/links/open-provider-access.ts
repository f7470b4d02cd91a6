import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { ProviderAccess, ProviderTokens } from "../../../ports/service-provider.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { openVault, type TenantVault } from "../../../vault/open-vault.ts";
import { endLink } from "./end-link.ts";
import { isSameAccount } from "./is-same-account.ts";
import { isInvalidGrant, isRefusal } from "./link-error.ts";
import { openAccess } from "./link-secrets.ts";
import {
  getLinkInForce,
  getLinkRow,
  getLinkSecret,
  type Link,
  type LinkKey,
  lockLink,
} from "./queries.ts";
import { saveTokens } from "./save-tokens.ts";

/** A token that ends sooner than a call may take is refreshed first. */
const REFRESH_BEFORE_MS = 60_000;
/**
 * How long somebody else's refresh, which would be why ours was refused, is waited for: longer than a vendor is given to
 * answer it, and the database to store it. It is looked for at once, and then after pauses that grow.
 */
const OTHER_REFRESH_MS = 15_000;
const LOOK_AGAIN_MS = 100;
const LOOK_AGAIN_MS_MAX = 1_000;

type LinkApp = Pick<App, "db" | "clock" | "log" | "keyEncryptionKey" | "vaults" | "providers">;

interface Waiting {
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * What a linked account is reached with, refreshed where it is about to expire. Calls the provider, so it is called outside
 * every transaction. A refresh token may be good for one use only: of two refreshes at once one is stored, and the other
 * caller is given that one's tokens.
 *
 * A link whose place another one of the same account has taken is opened by that one. Throws `provider_not_linked` where the
 * link is not in force, or where the provider takes its refresh token no more, which ends the link; `VendorError` where the
 * provider cannot be asked; and `provider_unavailable` where it refuses for another reason, such as a client secret of ours
 * that is wrong.
 */
export async function openProviderAccess(
  app: LinkApp,
  key: LinkKey,
  { pause = delay }: Waiting = {},
): Promise<ProviderAccess> {
  const vault = await openVault(app, key.tenantId);
  const held = await loadAccess(app, vault, key);
  if (!isEnding(app, held)) return accessOf(held);

  const tokens = await refresh(app, held).catch((thrown: unknown) => {
    if (!(thrown instanceof VendorError) || !isRefusal(thrown)) throw thrown;
    if (isInvalidGrant(thrown)) return undefined;
    throw refusedForUs(app, held, thrown);
  });
  if (tokens === undefined) return accessOf(await awaitOtherRefresh(app, vault, held, pause));
  const isKept = await saveTokens(app, { ...held, vault, tokens });
  return accessOf(isKept ? { ...held, ...tokens } : await loadAccess(app, vault, key));
}

/** The tokens of a link in force, and which version of them. */
interface HeldAccess extends ProviderTokens {
  readonly link: Link;
  readonly version: number;
}

async function loadAccess(app: LinkApp, vault: TenantVault, key: LinkKey): Promise<HeldAccess> {
  const { link, secret } = await withTransaction(app.db, key.tenantId, async (tx) => {
    const link = await findUsableLink(tx, key);
    return { link, secret: link === undefined ? undefined : await getLinkSecret(tx, link) };
  });
  const sealed = secret?.accessSealed ?? null;
  if (link === undefined || secret === undefined || sealed === null) {
    throw notLinked(`${key.linkId} is not in force`);
  }
  const { version, accessExpiresAt: expiresAt } = secret;
  const { linkId } = link;
  return { link, version, expiresAt, ...openAccess(vault, { linkId, version }, sealed) };
}

/** The link, or the one of the same account that has taken its place since whoever asks has noted it. */
async function findUsableLink(tx: Tx, key: LinkKey): Promise<Link | undefined> {
  const asked = await getLinkRow(tx, key);
  if (asked === undefined || asked.status === "linked") return asked;
  const inForce = await getLinkInForce(tx, asked);
  return inForce !== undefined && isSameAccount(inForce, asked) ? inForce : undefined;
}

function isEnding({ clock }: LinkApp, { expiresAt }: HeldAccess): boolean {
  return expiresAt !== null && expiresAt.getTime() - clock.now().getTime() <= REFRESH_BEFORE_MS;
}

function accessOf({ accessToken, link }: HeldAccess): ProviderAccess {
  return { accessToken, accountId: link.accountId };
}

async function refresh(app: LinkApp, { link, refreshToken }: HeldAccess): Promise<ProviderTokens> {
  const oauth = app.providers.get(link.provider)?.oauth ?? null;
  if (oauth === null || refreshToken === null) {
    throw notLinked(`${link.linkId} has expired, and cannot be refreshed`);
  }
  const tokens = await oauth.refresh(refreshToken);
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
}

/** A refusal that says nothing of the refresh token says that something is wrong with us. No link is ended for that. */
function refusedForUs({ log }: LinkApp, { link }: HeldAccess, refusal: VendorError): AppError {
  const { vendor, failure, vendorCode, vendorMessage } = refusal;
  log.error(
    { linkId: link.linkId, vendor, failure, vendorCode, vendorMessage },
    "a provider refuses to refresh tokens, and not for their sake: look at our app's credentials",
  );
  const internal = `${vendor} refused to refresh ${link.linkId}`;
  return new AppError("provider_unavailable", { internal, cause: refusal });
}

/** Our refresh token was refused: as a rule because somebody else has used it, and is storing what it was good for. */
async function awaitOtherRefresh(
  app: LinkApp,
  vault: TenantVault,
  held: HeldAccess,
  pause: NonNullable<Waiting["pause"]>,
): Promise<HeldAccess> {
  let waitedMs = 0;
  for (let pauseMs = LOOK_AGAIN_MS; ; pauseMs = Math.min(2 * pauseMs, LOOK_AGAIN_MS_MAX)) {
    const latest = await loadAccess(app, vault, held.link);
    const isOther = latest.link.linkId !== held.link.linkId || latest.version !== held.version;
    if (isOther) return latest;
    if (waitedMs >= OTHER_REFRESH_MS) break;
    await pause(pauseMs);
    waitedMs += pauseMs;
  }
  await endDeadLink(app, held);
  throw notLinked(`${held.link.provider} takes the refresh token of ${held.link.linkId} no more`);
}

async function endDeadLink(app: LinkApp, { link, version }: HeldAccess): Promise<void> {
  const at = app.clock.now();
  await withTransaction(app.db, link.tenantId, async (tx) => {
    const current = await lockLink(tx, link);
    const secret = await getLinkSecret(tx, link);
    if (current?.status !== "linked" || secret?.version !== version) return;
    await endLink(tx, systemActor(link), { link: current, end: { status: "expired" }, at });
  });
}

function notLinked(internal: string): AppError {
  return new AppError("provider_not_linked", { internal });
}

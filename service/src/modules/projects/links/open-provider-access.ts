import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../../../app.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { ProviderAccess, ProviderTokens } from "../../../ports/service-provider.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { openVault, type TenantVault } from "../../../vault/open-vault.ts";
import { endLink } from "./end-link.ts";
import { isSameAccount } from "./is-same-account.ts";
import { isRefusal } from "./link-error.ts";
import { openAccess, sealAccess } from "./link-secrets.ts";
import {
  getLinkInForce,
  getLinkRow,
  getLinkSecret,
  type Link,
  type LinkKey,
  lockLink,
  replaceAccess,
} from "./queries.ts";
import { serviceAs } from "./record-link-change.ts";

/** A token that ends sooner than a call may take is refreshed first. */
const REFRESH_BEFORE_MS = 60_000;
/** How often, and after what time, it is looked whether somebody else's refresh is why ours was refused. */
const LOOKS_MAX = 10;
const LOOK_AGAIN_MS = 100;

type LinkApp = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "providers">;

/**
 * What a linked account is reached with, refreshed where it is about to expire. Calls the provider, so it is called outside
 * every transaction. A refresh token may be good for one use only: of two refreshes at once one is stored, and the other
 * caller is given that one's tokens.
 *
 * A link whose place another one of the same account has taken is opened by that one. Throws `provider_not_linked` where the
 * link is not in force, or where the provider takes its refresh token no more, which ends the link; and `VendorError` where
 * the provider cannot be asked.
 */
export async function openProviderAccess(app: LinkApp, key: LinkKey): Promise<ProviderAccess> {
  const vault = await openVault(app, key.tenantId);
  const held = await loadAccess(app, vault, key);
  if (!isEnding(app, held)) return accessOf(held);

  const tokens = await refresh(app, held).catch((thrown: unknown) => {
    if (thrown instanceof VendorError && isRefusal(thrown)) return undefined;
    throw thrown;
  });
  if (tokens === undefined) return accessOf(await awaitOtherRefresh(app, vault, held));
  const isKept = await keepTokens(app, vault, { held, tokens });
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
  return oauth.refresh(refreshToken);
}

/** Stores refreshed tokens as the next version. False where somebody else's, or the link's end, came first. */
async function keepTokens(
  app: LinkApp,
  vault: TenantVault,
  { held, tokens }: { readonly held: HeldAccess; readonly tokens: ProviderTokens },
): Promise<boolean> {
  const { link, version } = held;
  const place = { linkId: link.linkId, version: version + 1 };
  const refreshToken = tokens.refreshToken ?? held.refreshToken;
  const accessSealed = sealAccess(vault, place, { ...tokens, refreshToken });
  return withTransaction(app.db, link.tenantId, (tx) =>
    replaceAccess(tx, link, { version, accessSealed, accessExpiresAt: tokens.expiresAt }),
  );
}

/** Our refresh token was refused: as a rule because somebody else has used it, and is storing what it was good for. */
async function awaitOtherRefresh(
  app: LinkApp,
  vault: TenantVault,
  held: HeldAccess,
): Promise<HeldAccess> {
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const latest = await loadAccess(app, vault, held.link);
    const isOther = latest.link.linkId !== held.link.linkId || latest.version !== held.version;
    if (isOther) return latest;
    await delay(LOOK_AGAIN_MS);
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
    await endLink(tx, serviceAs(link), { link: current, end: { status: "expired" }, at });
  });
}

function notLinked(internal: string): AppError {
  return new AppError("provider_not_linked", { internal });
}

import * as Address from "ox/Address";
import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import type { App } from "../../../app.ts";
import { tableOf } from "../../../db/table.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { WalletSignerName } from "../../../foundation/vocabulary.ts";
import { isFailure, VendorError, type VendorFailure } from "../../../ports/vendor-error.ts";
import type { HexBytes, SignerKey, WalletSigner } from "../../../ports/wallet-signer.ts";
import { openVault, type VaultContext } from "../../../vault/vault.ts";
import { providerNotConfigured } from "../../provider-keys/provider-keys.ts";
import { type Wallet, walletSignerKeyRows } from "../queries.ts";
import { type OpenedTurnkey, openTurnkey, type SignerAccess } from "./open-signer.ts";

/** The number of points of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Identifies the encrypted secret of a wallet's key. */
export function walletKeyContext(walletId: string): VaultContext {
  return { kind: "wallet_signer_key", subject: walletId, field: "secret", version: 1 };
}

/** The key of a wallet that is not stored yet. */
export interface NewWalletKey {
  readonly owner: HexBytes;
  readonly keySealed: Buffer;
  readonly signer: WalletSignerName;
  readonly usesOwnSigner: boolean;
  /** Destroys the key, if the wallet is not stored. */
  readonly discard: () => Promise<void>;
}

type KeyOwner = Pick<Wallet, "tenantId" | "walletId" | "mode" | "agentId" | "network">;

/** Returns who makes the keys of new wallets. Wallets in test mode never sign. */
export function signerOfNewWallets({ walletSigners }: Pick<SignerAccess, "walletSigners">, mode: Wallet["mode"]) {
  return mode === "test" ? "local" : walletSigners.name;
}

/**
 * Makes and encrypts the key of a new wallet. Can call the KMS and the signer, so call it before a transaction. Throws
 * `provider_not_configured`, also if the signer refuses the developer's keys, and `provider_unavailable`.
 */
export async function createWalletKey(app: SignerAccess, wallet: KeyOwner): Promise<NewWalletKey> {
  const { walletSigners } = app;
  const vault = await openVault(app, wallet.tenantId);
  const name = signerOfNewWallets(app, wallet.mode);
  const sealed = ({ address, secret }: SignerKey) => ({
    owner: address,
    keySealed: vault.seal(walletKeyContext(wallet.walletId), secret),
    signer: name,
  });
  if (name === "turnkey") {
    const turnkey = await openTurnkey(app, wallet.tenantId).catch((error) => vendorFailure(error, false));
    const { usesOwnSigner } = turnkey;
    const key = await createTurnkeyKey(app, turnkey, wallet).catch((error) => vendorFailure(error, usesOwnSigner));
    // An account that owns no wallet stays for the next attempt.
    return { ...sealed(key), usesOwnSigner, discard: async () => {} };
  }
  const maker = name === "local" ? walletSigners.local : walletSigners.awsKms;
  const key = await maker.createKey(wallet.walletId).catch((error) => vendorFailure(error, false));
  return { ...sealed(key), usesOwnSigner: false, discard: () => maker.discardKey(key) };
}

const REFUSALS: readonly VendorFailure[] = ["refused", "unauthorized", "not_found"];

function vendorFailure(error: unknown, usesOwnSigner: boolean): never {
  if (!(error instanceof VendorError)) throw error;
  const context = { internal: `${error.message}: ${error.vendorMessage ?? ""}`, cause: error };
  if (usesOwnSigner && REFUSALS.includes(error.failure)) {
    const detail =
      "Turnkey does not make keys with your API keys. Check their permissions and the policies of your organization.";
    throw providerNotConfigured("turnkey", "live", { ...context, detail });
  }
  throw new AppError("provider_unavailable", context);
}

/**
 * Signs 32 bytes with the key of a wallet. The same bytes with the same time are the same request, which can be repeated. Can call
 * the KMS and the signer, so call it outside of a transaction. Throws `provider_not_configured` and `VendorError`: also if the
 * signer returns the signature of another key or of other bytes.
 */
export async function signWithWalletKey(
  app: SignerAccess,
  wallet: Pick<Wallet, "tenantId" | "walletId" | "owner" | "signer" | "usesOwnSigner">,
  digest: HexBytes,
  requestedAt: Date,
): Promise<HexBytes> {
  const vault = await openVault(app, wallet.tenantId);
  const { keySealed } = await withTransaction(app.db, wallet.tenantId, (tx) => walletSignerKeyRows.get(tx, wallet));
  const secret = vault.open(walletKeyContext(wallet.walletId), keySealed);
  const signer = await openSigner(app, wallet, secret);
  const signed = await signer.signDigest({ address: wallet.owner as HexBytes, secret }, digest, requestedAt);
  const signature = usableSignature(wallet.owner, digest, signed);
  if (signature === undefined) {
    const vendorMessage = "the signature is not that of the wallet's key";
    throw new VendorError("unknown", { vendor: wallet.signer, operation: "signDigest", vendorMessage });
  }
  return signature;
}

async function openSigner(
  app: SignerAccess,
  { tenantId, signer, usesOwnSigner }: Pick<Wallet, "tenantId" | "signer" | "usesOwnSigner">,
  secret: Buffer,
): Promise<WalletSigner> {
  if (signer === "local") return app.walletSigners.local;
  if (signer === "aws-kms") return app.walletSigners.awsKms;
  return (await openTurnkey(app, tenantId, { organizationId: secret.toString(), usesOwnSigner })).signer;
}

/**
 * Returns a signature of the owner with the lower of the two values of `s`, which contracts require (EIP-2). Signers can return
 * either. Undefined if it is not the owner's.
 */
function usableSignature(owner: string, payload: HexBytes, signed: HexBytes): HexBytes | undefined {
  try {
    const { r, s, yParity } = Signature.fromHex(signed);
    const signature = s > ORDER / 2n ? { r, s: ORDER - s, yParity: 1 - yParity } : { r, s, yParity };
    const recovered = Secp256k1.recoverAddress({ payload, signature });
    return Address.isEqual(recovered, owner as HexBytes) ? Signature.toHex(signature) : undefined;
  } catch {
    return undefined;
  }
}

const turnkeyWalletRows = tableOf("turnkeyWallets", ["tenantId", "organizationId"]);
const turnkeyAccountRows = tableOf("turnkeyAccounts", ["tenantId", "organizationId", "agentId", "network"]);

type WalletOfAgent = Pick<Wallet, "tenantId" | "agentId" | "network">;

/**
 * Creates the account at Turnkey that owns the agent's wallet on a network, in the developer's wallet at Turnkey. Each request is
 * stored first, so that a repeated one has no second effect. Throws `VendorError`.
 */
async function createTurnkeyKey(
  app: Pick<App, "db" | "clock">,
  { signer, organizationId }: OpenedTurnkey,
  { tenantId, agentId, network }: WalletOfAgent,
): Promise<SignerKey> {
  const key = { tenantId, organizationId, agentId, network };
  const walletId = await ensureWallet(app, signer, key);
  const { accountIndex: index, requestedAt } = await requestAccount(app, key);
  const address = await afterRefusal(signer.createAccount({ walletId, index, requestedAt }), () =>
    withTransaction(app.db, tenantId, (tx) => turnkeyAccountRows.remove(tx, key)),
  );
  return { address, secret: Buffer.from(organizationId) };
}

async function ensureWallet(
  { db, clock }: Pick<App, "db" | "clock">,
  signer: OpenedTurnkey["signer"],
  key: { readonly tenantId: TenantId; readonly organizationId: string },
): Promise<string> {
  const { tenantId, organizationId } = key;
  const change = (values: Parameters<typeof turnkeyWalletRows.update>[2]) =>
    withTransaction(db, tenantId, (tx) => turnkeyWalletRows.update(tx, key, values));
  const { requestedAt, turnkeyWalletId } = await withTransaction(db, tenantId, async (tx) => {
    await turnkeyWalletRows.insertIfNew(tx, { tenantId, organizationId, requestedAt: clock.now() });
    return turnkeyWalletRows.get(tx, key);
  });
  if (turnkeyWalletId !== null) return turnkeyWalletId;
  const name = `Purser ${tenantId} ${requestedAt.toISOString()}`;
  const created = await afterRefusal(signer.createWallet(name, requestedAt), () =>
    change({ requestedAt: clock.now() }),
  );
  await change({ turnkeyWalletId: created });
  return created;
}

/** Returns the account that was asked for, or gives the next number to a new one. */
async function requestAccount(
  { db, clock }: Pick<App, "db" | "clock">,
  key: WalletOfAgent & { organizationId: string },
) {
  return withTransaction(db, key.tenantId, async (tx) => {
    const { nextIndex } = await turnkeyWalletRows.lockAndGet(tx, key);
    const earlier = await turnkeyAccountRows.find(tx, key);
    if (earlier !== undefined) return earlier;
    await turnkeyWalletRows.update(tx, key, { nextIndex: nextIndex + 1 });
    return turnkeyAccountRows.insertAndGet(tx, { ...key, accountIndex: nextIndex, requestedAt: clock.now() });
  });
}

/**
 * What was refused would be refused again with the same time. The next request has another name or number, because an earlier one
 * may have created this one, and its answer was lost.
 */
async function afterRefusal<Result>(created: Promise<Result>, change: () => Promise<void>): Promise<Result> {
  return created.catch(async (error: unknown) => {
    if (isFailure(error, "refused") || isFailure(error, "unauthorized")) await change();
    throw error;
  });
}

import { randomBytes, randomUUID } from "node:crypto";
import { isHex, parseSignature, size } from "viem";
import { HDKey, hdKeyToAccount } from "viem/accounts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import { ActivityFailure } from "./activities.ts";

interface StoredWallet {
  readonly organizationId: string;
  /** The seed of the accounts (BIP 32), in hexadecimal. The control page does not show it. */
  readonly secret: string;
}

/** Stored as an object whose id is the address. */
interface StoredAccount {
  readonly organizationId: string;
  readonly walletId: string;
  readonly path: string;
}

interface NewAccounts {
  readonly organizationId: string;
  readonly walletId: string;
  readonly accounts: readonly { readonly path: string }[];
}

/** Creates a wallet with a new seed. The names of an organization's wallets differ. */
export async function createWallet(
  context: VendorContext,
  { organizationId, walletName, accounts }: Omit<NewAccounts, "walletId"> & { readonly walletName: string },
): Promise<object> {
  const { objects } = context;
  const name = { type: "wallet_name", id: `${organizationId} ${walletName}`, state: "used", data: {} };
  if (!(await objects.insert(name))) throw new ActivityFailure(`wallet label must be unique: ${walletName}`);
  const walletId = randomUUID();
  const data: StoredWallet = { organizationId, secret: randomBytes(32).toString("hex") };
  await objects.insert({ type: "wallet", id: walletId, state: "active", data });
  return { walletId, ...(await addAccounts(context, { organizationId, walletId, accounts })) };
}

/** Derives accounts of a wallet. Each path is used once. */
export async function addAccounts(
  { objects }: VendorContext,
  { organizationId, walletId, accounts }: NewAccounts,
): Promise<{ readonly addresses: readonly string[] }> {
  const wallet = await objects.find<StoredWallet>("wallet", walletId);
  if (wallet?.data.organizationId !== organizationId) throw new ActivityFailure(`wallet ${walletId} not found`);
  const addresses: string[] = [];
  for (const { path } of accounts) {
    const { address } = accountOf(wallet.data, path);
    const data: StoredAccount = { organizationId, walletId, path };
    const isNew = await objects.insert({ type: "wallet_account", id: address, state: "active", data });
    if (!isNew) throw new ActivityFailure(`wallet account ${path} already exists`);
    addresses.push(address);
  }
  return { addresses };
}

/** Signs 32 bytes as they are with the account of an address. */
export async function signPayload(
  { objects }: VendorContext,
  {
    organizationId,
    signWith,
    payload,
  }: { readonly organizationId: string; readonly signWith: string; readonly payload: string },
): Promise<object> {
  const hash = `0x${payload.replace(/^0x/, "")}`;
  if (!isHex(hash) || size(hash) !== 32) throw new ActivityFailure("payload must be 32 bytes");
  const account = await objects.find<StoredAccount>("wallet_account", signWith);
  const wallet = account && (await objects.find<StoredWallet>("wallet", account.data.walletId));
  if (account === undefined || wallet?.data.organizationId !== organizationId) {
    throw new ActivityFailure(`no wallet account found with address ${signWith}`);
  }
  const { r, s, yParity } = parseSignature(await accountOf(wallet.data, account.data.path).sign({ hash }));
  return { r: r.slice(2), s: s.slice(2), v: `0${yParity}` };
}

function accountOf({ secret }: StoredWallet, path: string) {
  return hdKeyToAccount(HDKey.fromMasterSeed(Buffer.from(secret, "hex")), { path: path as `m/44'/60'/${string}` });
}

import type { FastifyRequest } from "fastify";
import * as Address from "ox/Address";
import { Type } from "typebox";
import {
  BLOCKCHAIN_NETWORKS,
  type BlockchainNetwork,
  blockchainNetworkOf,
} from "../../../foundation/blockchain-networks.ts";
import { invalidField } from "../../../foundation/errors.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { OneOf } from "../../../foundation/wire/fields.ts";
import type { WalletKey, WalletScope } from "../../../modules/wallets/queries.ts";
import { scopeOf } from "../../auth/principal.ts";
import { singleHeader } from "../../auth/request-headers.ts";
import { pathId } from "../../path-id.ts";

/**
 * Returns the filter for the wallets that the caller can reach: those of the agents that the key is bound to, and of the
 * agent in `X-Agent-ID` if there is one.
 */
export function walletScopeOf(request: FastifyRequest): WalletScope {
  const { tenantId, mode, agentIds: bound } = scopeOf(request);
  const named = singleHeader(request, "x-agent-id").toLowerCase();
  const own = bound.length === 0 ? null : bound;
  if (named === "") return { tenantId, mode, agentIds: own };
  const isReachable = own === null || own.includes(named);
  return { tenantId, mode, agentIds: isReachable ? [named] : [] };
}

/** Returns the id of the wallet in the path, with the caller's scope. Throws a 404 for a malformed id. */
export function walletKeyOf(request: FastifyRequest, walletId: string): WalletKey {
  return { ...walletScopeOf(request), walletId: pathId("wal", walletId) };
}

const NETWORK_NAMES = Object.entries(BLOCKCHAIN_NETWORKS).flatMap(([name, { chainId }]) => [name, chainId]);

export const NetworkIn = OneOf(NETWORK_NAMES, "A network's name or CAIP-2 id, for example `base` or `eip155:8453`.");

/** Returns the network that a valid `NetworkIn` names. */
export function requireNetwork(text: string): BlockchainNetwork {
  const network = blockchainNetworkOf(text);
  invariant(network !== undefined, "the schema accepts only known networks");
  return network;
}

export const WalletName = Type.String({
  pattern: "^[A-Za-z0-9-]{2,36}$",
  description: "A name for the wallet: 2 to 36 letters, digits and hyphens.",
  examples: ["ops"],
});

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * Returns the address with the checksum of EIP-55. Accepts an address in one case, and one with a correct checksum. Throws
 * `validation_error` for any other text, and for the zero address.
 */
export function checksumAddress(text: string, pointer: string): string {
  const isOneCase = [text.toLowerCase(), `0x${text.slice(2).toUpperCase()}`].includes(text);
  const isAddress = EVM_ADDRESS.test(text) && !/^0x0{40}$/.test(text);
  const checksum = isAddress ? Address.checksum(text as Address.Address) : "";
  if (isAddress && (isOneCase || text === checksum)) return checksum;
  const detail = "must be an address in one case, or with the checksum of EIP-55";
  throw invalidField(pointer, "address", detail);
}

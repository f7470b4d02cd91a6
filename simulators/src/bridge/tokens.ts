import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  parseAbi,
  parseUnits,
} from "viem";
import { parseChainId } from "../pimlico/chains.ts";
import { OPERATOR_KEYS } from "./bridge-route.ts";

/** USDC by Bridge's names of networks. */
const USDC: Readonly<Record<string, Hex>> = {
  ethereum: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  base: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  polygon: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
  arbitrum: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
  optimism: "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
};
const DECIMALS = 6;
const MINT = parseAbi(["function mint(address account, uint256 amount)"]);

export interface TokenOptions {
  /** Returns the JSON-RPC URL of the chain with this id. Undefined for a chain without a node: its tokens are only said to move. */
  readonly rpcUrlOf?: ((chainId: number) => string | undefined) | undefined;
}

/** Bridge's name of the network, and the account whose tokens they are. */
export interface Place {
  readonly account: string;
  readonly rail: string;
}

/** Moves the tokens of transfers on the local chains. */
export interface Tokens {
  /** Returns false for tokens that are on no chain: those of a test account, or of a chain without a node. */
  areOnChain(place: Place): boolean;
  /** Creates tokens for an address. Returns the hash of the transaction. */
  send(place: Place, to: string, amount: string): Promise<string>;
  /** Returns whether an address has the amount. */
  haveCome(place: Place, to: string, amount: string): Promise<boolean>;
}

export function createTokens({ rpcUrlOf = () => undefined }: TokenOptions): Tokens {
  const openChain = ({ account, rail }: Place) => {
    const url = rpcUrlOf(parseChainId(rail) ?? 0);
    const usdc = USDC[rail];
    if (url === undefined || usdc === undefined || isTestAccount(account)) return undefined;
    return { client: createPublicClient({ transport: http(url) }), usdc };
  };
  return {
    areOnChain: (place) => openChain(place) !== undefined,
    send: async (place, to, amount) => {
      const { client, usdc } = openChain(place) ?? noChain();
      const accounts: readonly Hex[] = await client.request({ method: "eth_accounts" } as never);
      const args = [to as Hex, parseUnits(amount, DECIMALS)] as const;
      const call = { from: accounts.at(-1), to: usdc, data: encodeFunctionData({ abi: MINT, args }) };
      return await client.request({ method: "eth_sendTransaction", params: [call] } as never);
    },
    haveCome: async (place, to, amount) => {
      const { client, usdc } = openChain(place) ?? noChain();
      const args = [to as Hex] as const;
      const balance = await client.readContract({ address: usdc, abi: erc20Abi, functionName: "balanceOf", args });
      return balance >= parseUnits(amount, DECIMALS);
    },
  };
}

/** Returns the address to which the tokens of an off-ramp are sent. Each transfer has its own. */
export function depositAddressOf(id: string): Hex {
  return getAddress(`0x${id.replaceAll("-", "").padStart(40, "b1")}`);
}

function isTestAccount(account: string): boolean {
  return account === OPERATOR_KEYS.test || account.includes("test");
}

function noChain(): never {
  throw new Error("These tokens are on no chain.");
}

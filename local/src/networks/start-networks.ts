import {
  type BlockchainNetwork,
  blockchainNetworkOf,
  EVM_NETWORKS,
} from "@purser/service/foundation/blockchain-networks.ts";
import { formatTokenAmount, parseTokenAmount } from "@purser/service/foundation/money.ts";
import { listenOnPort } from "@purser/simulators/kit/listen-on-port.ts";
import { requireLoopbackHost } from "@purser/simulators/kit/require-loopback-host.ts";
import { sendProblem } from "@purser/simulators/sandbox/problem.ts";
import { requireSameOrigin } from "@purser/simulators/sandbox/require-same-origin.ts";
import fastify, { type FastifyError, type FastifyInstance } from "fastify";
import { isAddress } from "viem";
import { LocalNetwork, type RpcRequest } from "./local-network.ts";

const HOST = "127.0.0.1";
const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** The most USDC that one call creates. */
const AMOUNT_MAX_MICROS = 1_000_000_000_000_000n;

export interface LocalNetworks {
  /** `http://127.0.0.1:PORT`. A network's JSON-RPC is below it, at `/NETWORK`. */
  readonly url: string;
  /** The URLs of all networks, as `PURSER_RPC_URLS`. */
  readonly rpcUrls: string;
  /** Returns the URL of a network's chain, or undefined if the chain has not been started. Calls to it start nothing. */
  rpcUrlOf(network: BlockchainNetwork): string | undefined;
  /** Returns the URL of a network's JSON-RPC by its chain id. Calls to it start the chain. */
  bundlerUrlOf(chainId: number): string | undefined;
  /** Sets what is done before USDC is created, so that Purser sees the deposit. */
  beforeMint(run: BeforeMint): void;
  close(): Promise<void>;
}

type BeforeMint = (network: BlockchainNetwork) => Promise<void>;

/**
 * Starts the server of the local networks, and no chain: a network's chain starts with the first call of the network. If
 * anvil is not installed, calls are answered with 503.
 */
export async function startNetworks(options: {
  readonly folder: string;
  /** The preferred port. If it is 0 or taken, a free port is used. */
  readonly port: number;
  readonly note: (text: string) => void;
}): Promise<LocalNetworks> {
  const networks = new Map(EVM_NETWORKS.map((network) => [network, new LocalNetwork({ ...options, network })]));
  let beforeMint: BeforeMint = async () => {};
  const server = buildServer(networks, (network) => beforeMint(network));
  const url = await listenOnPort(server, { host: HOST, port: options.port });
  return {
    url,
    rpcUrls: EVM_NETWORKS.map((network) => `${network} ${url}/${network}`).join(","),
    rpcUrlOf: (network) => networks.get(network)?.rpcUrl,
    bundlerUrlOf: (chainId) => {
      const network = blockchainNetworkOf(`eip155:${chainId}`);
      return network && `${url}/${network}`;
    },
    beforeMint: (run) => {
      beforeMint = run;
    },
    close: async () => {
      await server.close();
      await Promise.all([...networks.values()].map((network) => network.close()));
    },
  };
}

type Networks = ReadonlyMap<BlockchainNetwork, LocalNetwork>;

function buildServer(networks: Networks, beforeMint: BeforeMint): FastifyInstance {
  const server = fastify({ logger: false, bodyLimit: BODY_BYTES_MAX });
  requireLoopbackHost(server, (reply) =>
    sendProblem(reply, 421, "The networks only accept the host names 127.0.0.1 and localhost."),
  );
  requireSameOrigin(server);
  server.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, 404, "Unknown path. Send JSON-RPC to POST /NETWORK, or mint USDC with POST /NETWORK/mint."),
  );
  server.setErrorHandler<FastifyError>((error, _request, reply) => {
    const { statusCode = 503, message } = error;
    return sendProblem(
      reply,
      statusCode,
      statusCode === 503 ? `The local network is not available: ${message}` : message,
    );
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
  addRoutes(server, networks, beforeMint);
  return server;
}

interface NetworkRoute {
  readonly Params: { readonly network: string };
  readonly Body: string | undefined;
}

function addRoutes(server: FastifyInstance, networks: Networks, beforeMint: BeforeMint): void {
  server.post<NetworkRoute>("/:network", async ({ params, body }, reply) => {
    const network = networkOf(networks, params.network);
    const requests: RpcRequest[] = [parse(body)].flat().map(Object);
    if (requests.length === 0 || !requests.every(({ method }) => typeof method === "string")) {
      throw httpError(400, "The body is not a call of JSON-RPC, or a list of calls.");
    }
    const response = await network.forward(body ?? "", requests);
    return reply.type("application/json").send(response);
  });

  server.post<NetworkRoute>("/:network/mint", async ({ params, body }) => {
    const network = networkOf(networks, params.network);
    const { address, amount } = Object(parse(body));
    if (typeof address !== "string" || !isAddress(address)) {
      throw httpError(
        422,
        "address is not an address: 0x and 40 hex digits, in one case or with the checksum of EIP-55.",
      );
    }
    const parsed = typeof amount === "string" ? parseTokenAmount(amount, "usdc") : undefined;
    if (parsed === undefined || parsed.baseUnits <= 0n || parsed.baseUnits > AMOUNT_MAX_MICROS) {
      throw httpError(
        422,
        "amount is not an amount of USDC: a text such as 100.00, with at most six decimals, up to a billion.",
      );
    }
    await beforeMint(network.name);
    const { transactionHash, blockNumber } = await network.mint(address, parsed.baseUnits);
    return {
      ...{ network: params.network, address, token: "USDC", amount: formatTokenAmount(parsed) },
      ...{ transaction_hash: transactionHash, block_number: Number(blockNumber) },
    };
  });
}

function networkOf(networks: Networks, name: string): LocalNetwork {
  const network = blockchainNetworkOf(name);
  const found = network && networks.get(network);
  if (found === undefined) throw httpError(404, `Unknown network. The networks are: ${EVM_NETWORKS.join(", ")}.`);
  return found;
}

function parse(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? "");
  } catch {
    throw httpError(400, "The body is not JSON.");
  }
}

function httpError(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}

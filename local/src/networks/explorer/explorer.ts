import type { BlockchainNetwork } from "@purser/service/foundation/blockchain-networks.ts";
import { EVM_NETWORKS, networkFactsOf } from "@purser/service/foundation/blockchain-networks.ts";
import { BRAND, type Html, html, ICON, pageOf } from "@purser/simulators/kit/html.ts";
import type { FastifyInstance } from "fastify";
import * as viem from "viem";
import { addressContent, blocksContent, type Network, transactionContent } from "./pages.ts";

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
  "content-type": "text/html; charset=utf-8",
};

const VALUES_MAX = 5_000;

type RpcUrlOf = (network: BlockchainNetwork) => string | undefined;
type Route = { Params: Record<"network" | "hash" | "address", string>; Querystring: { before?: unknown } };

/** There is no such page. Users see the message. */
class MissingPageError extends Error {}

/**
 * Adds pages that show the running networks, and their blocks, transactions and addresses. They change nothing.
 * `rpcUrlOf` returns the JSON-RPC URL of a running network. What is missing is a 404 page, and a network that does not
 * answer is a 503 page.
 */
export function addExplorer(server: FastifyInstance, rpcUrlOf: RpcUrlOf): void {
  const runningNetwork = (name: string): Network => {
    const network = EVM_NETWORKS.find((known) => known === name);
    const url = network && rpcUrlOf(network);
    if (!network || !url) throw new MissingPageError(`No network with the name ${name} is running.`);
    const client = viem.createPublicClient({ transport: viem.http(url, { timeout: 5_000, retryCount: 0 }) });
    // Each EVM network has USDC.
    return {
      name: network,
      usdc: networkFactsOf(network).contracts.usdc as viem.Address,
      client,
      valuesLeft: VALUES_MAX,
    };
  };

  // The error handler and the headers apply only to the routes of this child context.
  server.register((routes, _options, done) => {
    routes.addHook("onRequest", async (_request, reply) => void reply.headers(HEADERS));
    routes.setErrorHandler((error, _request, reply) => {
      const [status, sentence] = problemOf(error);
      // An error's reply starts without a content type.
      return reply
        .code(status)
        .headers(HEADERS)
        .send(pageWith(status === 404 ? "Not found" : "No answer", html`<p>${sentence}</p>`));
    });
    routes.get("/networks", () => pageWith("Networks", networksContent(EVM_NETWORKS.filter(rpcUrlOf))));
    routes.get<Route>("/networks/:network", async ({ params: { network }, query }) => {
      const before = /^[1-9]\d{0,14}$/.test(String(query.before)) ? BigInt(String(query.before)) : undefined;
      return pageWith(network, await blocksContent(runningNetwork(network), before));
    });
    routes.get<Route>("/networks/:network/tx/:hash", async ({ params: { network, hash } }) => {
      if (!viem.isHash(hash)) throw new MissingPageError(`${hash} is not the hash of a transaction.`);
      return pageWith(`Transaction ${hash}`, await transactionContent(runningNetwork(network), hash));
    });
    routes.get<Route>("/networks/:network/address/:address", async ({ params: { network, address } }) => {
      if (!viem.isAddress(address, { strict: false })) throw new MissingPageError(`${address} is not an address.`);
      const content = await addressContent(runningNetwork(network), viem.getAddress(address));
      if (content === undefined) throw new MissingPageError(`The network ${network} has never seen ${address}.`);
      return pageWith(`Address ${address}`, content);
    });
    done();
  });
}

/** Returns the status and a sentence for users. Throws other errors than those of the pages and of the networks. */
function problemOf(error: unknown): readonly [status: 404 | 503, sentence: string] {
  if (error instanceof MissingPageError) return [404, error.message];
  if (error instanceof viem.TransactionNotFoundError || error instanceof viem.TransactionReceiptNotFoundError) {
    return [404, "No block of this network has this transaction."];
  }
  if (error instanceof viem.BaseError) return [503, "The network does not answer."];
  throw error;
}

function networksContent(names: readonly string[]): Html {
  if (names.length > 0)
    return html`<ul>${names.map((name) => html`<li><a href="/networks/${name}">${name}</a></li>`)}</ul>`;
  return html`<p>No network is running. The first JSON-RPC call to a network starts it. <code>POST {networks_url}/base/mint</code> starts it too.</p>`;
}

/** Renders a page with links to the sandbox and to the networks. */
function pageWith(heading: string, content: Html): string {
  const body = html`<body>${BRAND}<nav aria-label="Pages"><a href="/">Sandbox</a> <a href="/networks">Networks</a></nav>
<main><h1>${heading}</h1>${content}</main></body>`;
  return pageOf(heading, body, ICON);
}

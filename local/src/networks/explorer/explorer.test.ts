import { LOCAL_CODES } from "@purser/contracts/abi/local-codes.ts";
import { encodeTransfer } from "@purser/contracts/chain/agent-account.ts";
import { startLocalChain } from "@purser/contracts/chain/local-chain.ts";
import { networkFactsOf } from "@purser/service/foundation/blockchain-networks.ts";
import fastify from "fastify";
import { encodeErrorResult, encodeFunctionData, getAddress, type Hash, parseAbi, parseEther } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestWallet, WalletChain } from "../../../../contracts/test-support/wallet-chain.ts";
import { addExplorer } from "./explorer.ts";

const RECIPIENT = getAddress(`0x${"12".repeat(20)}`);
/** The creation code of a contract that emits 42 in an event without a topic. */
const EMITTER = "0x602a60005260206000a000";
const server = fastify();
let chain: WalletChain;
let wallet: TestWallet;
let bundleHash: Hash;

beforeAll(async () => {
  chain = new WalletChain(await startLocalChain());
  addExplorer(server, (network) => ({ base: chain.local.rpcUrl, polygon: "http://127.0.0.1:1" })[String(network)]);
  chain.token = getAddress(networkFactsOf("base").contracts.usdc ?? "");
  await chain.local.testClient.setCode({ address: chain.token, bytecode: LOCAL_CODES.mockToken });
  const [manager, token] = [chain.as("policyManager"), chain.token];
  await manager.writeContractSync({ ...chain.guardian, functionName: "addToken", args: [token] });
  await manager.writeContractSync({ ...chain.guardian, functionName: "setDefaultLimit", args: [token, 10_000_000n] });
  await chain.deposit(chain.local.addresses.verifyingPaymaster, parseEther("1"));
  await chain.local.testClient.mine({ blocks: 30 });
  wallet = await chain.newWallet();
  const pay = (amount: bigint) => chain.operationOf(wallet, (epoch) => encodeTransfer(epoch, token, RECIPIENT, amount));
  bundleHash = (await chain.handleOps(await pay(5_000_000n))).transactionHash;
  await chain.handleOps(await pay(20_000_000n));
  await chain.as("freezer").writeContractSync({ ...chain.guardian, functionName: "freeze", args: [wallet.address, 1] });
});
afterAll(async () => {
  await server.close();
  await chain.local.stop();
});
/** Requests a page. `text` is its text without tags. */
async function get(url: string) {
  const { statusCode, headers, body } = await server.inject(url);
  return { statusCode, headers, body, text: body.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ") };
}

test("200: a network shows its newest blocks, operations, transfers and freezes", async () => {
  expect((await get("/networks")).body).toContain('<a href="/networks/base">base</a>');
  const { headers, body, text } = await get("/networks/base");
  expect(headers).toMatchObject({ "cache-control": "no-store", "content-type": "text/html; charset=utf-8" });
  expect(headers["content-security-policy"]).toMatch(
    /^default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; base-uri 'none';/,
  );
  expect(text).toMatch(/ Frozen epochId: .* result: failed .* LimitExceeded .* result: success .* amount: 5\.00 USDC /);
  expect(text).toMatch(/ USDC transfer .* AccountCreated account: .* amount: 1000\.00 USDC /);
  const older = /\?before=(\d+)(?=">Older)/.exec(body);
  expect((await get(`/networks/base${older?.[0]}`)).text).toContain(
    ` Block Time Transactions ${Number(older?.[1]) - 1} `,
  );
});

test("200: a transaction shows its status, operations and events", async () => {
  const { text } = await get(`/networks/base/tx/${bundleHash}`);
  expect(text).toMatch(/Status success Block \d+ From 0x.* To entryPoint .*Sender Nonce Call 0x\w+…\w+ 0 transfer \(/);
  expect(text).toMatch(
    /recipient: 0x121212…121212 , amount: 5000000\).* AccountDeployed .* USDC transfer .* Operation/,
  );
  const { transactionHash } = await chain.bundler.sendTransactionSync({ data: EMITTER });
  expect((await get(`/networks/base/tx/${transactionHash}`)).text).toMatch(
    /Unknown event topics: \[], data: 0x0{62}2a /,
  );
});

test("200: without a running network, a sentence says what starts one", async () => {
  const idle = fastify();
  addExplorer(idle, () => undefined);
  expect((await idle.inject("/networks")).body).toContain("The first JSON-RPC call to a network starts it.");
});

test("200: an address shows its balance, its account, its transfers and its operations", async () => {
  const { text } = await get(`/networks/base/address/${wallet.address.toLowerCase()}`);
  expect(text).toMatch(/USDC 995\.00 USDC Coin 0 Code yes Agent account yes Signer 0x.* Frozen yes Epoch 1 USDC tran/);
  expect(text).toMatch(/Block Transaction Operation .*failed.* Operation .*success.* 5\.00 USDC.* 1000\.00 USDC/);
});

test("what comes from a chain is escaped", async () => {
  const error = { abi: parseAbi(["error Error(string message)"]), args: ["<script>alert(1)</script>"] } as const;
  const call = { ...chain.guardian, functionName: "multicall", args: [[encodeErrorResult(error)]] } as const;
  const sent = await chain.bundler.sendTransactionSync({ to: RECIPIENT, data: encodeFunctionData(call) });
  const { body } = await get(`/networks/base/tx/${sent.transactionHash}`);
  expect(body).toContain("<code>Error</code>(message: <code>&lt;script&gt;alert(1)&lt;/script&gt;</code>)");
});

test.each([
  [404, "a network that is not running", "/networks/optimism", "No network with the name optimism is running."],
  [404, "an unknown network", "/networks/<b>", "No network with the name &lt;b&gt; is running."],
  [404, "a malformed hash", "/networks/base/tx/0x12", "0x12 is not the hash of a transaction."],
  [404, "an unknown transaction", `/networks/base/tx/0x${"1".repeat(64)}`, "No block of this network has"],
  [404, "a malformed address", "/networks/base/address/0x12", "0x12 is not an address."],
  [404, "an address that was never seen", `/networks/base/address/0x${"3".repeat(40)}`, "has never seen"],
  [503, "a network that does not answer", "/networks/polygon", "The network does not answer."],
])("%d: %s", async (status, _what, url, sentence) => {
  expect(await get(url)).toMatchObject({ statusCode: status, body: expect.stringContaining(sentence) });
});

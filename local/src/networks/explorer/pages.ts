import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import { agentAccountAbi } from "@purser/contracts/abi/agent-account.ts";
import { agentAccountFactoryAbi } from "@purser/contracts/abi/agent-account-factory.ts";
import { formatTokenAmount } from "@purser/service/foundation/money.ts";
import { type Html, html } from "@purser/simulators/kit/html.ts";
import { table, time } from "@purser/simulators/sandbox/pages.ts";
import * as viem from "viem";
import { entryPoint08Abi, entryPoint08Address } from "viem/account-abstraction";
import { decodeData, decodeEvent } from "./decode.ts";

/** A running network. Its client throws viem's errors. */
export interface Network {
  readonly name: string;
  readonly usdc: viem.Address;
  readonly client: viem.PublicClient;
  /** How many values the page can still show. Calls that contain each other could have any number of them. */
  valuesLeft: number;
}

const ROWS_MAX = 100;
const TEXT_LENGTH_MAX = 1_000;
const NESTED_CALLS_MAX = 4;
const CONTRACTS = Object.entries({ entryPoint: entryPoint08Address, ...ADDRESSES.local });
const BLOCKS_MAX = 25n;
const DATE_MS_MAX = 8_640_000_000_000_000;
const CREATED = viem.getAbiItem({ abi: agentAccountFactoryAbi, name: "AccountCreated" });
const TRANSFER = viem.getAbiItem({ abi: viem.erc20Abi, name: "Transfer" });
const OPERATION = viem.getAbiItem({ abi: entryPoint08Abi, name: "UserOperationEvent" });
/** The page of a transaction shows all events, and that of a network only these. */
const SHOWN_EVENTS =
  /^(Operation|USDC transfer|UserOperationRevertReason|Frozen|Unfrozen|FreezeFailed|AccountCreated|Unknown event)$/;

/** Shows the newest 25 blocks, or the newest 25 below a number, and what happened in them. */
export async function blocksContent(network: Network, before: bigint | undefined): Promise<Html> {
  const { client, name } = network;
  const { number: latest } = await client.getBlock();
  const newest = before === undefined || before > latest ? latest : before - 1n;
  const oldest = newest < BLOCKS_MAX ? 0n : newest - BLOCKS_MAX + 1n;
  const numbers = Array.from({ length: Number(newest - oldest) + 1 }, (_, index) => newest - BigInt(index));
  const [logs, ...blocks] = await Promise.all([
    client.getLogs({ fromBlock: oldest, toBlock: newest }),
    ...numbers.map((blockNumber) => client.getBlock({ blockNumber })),
  ]);
  const rows = blocks.map(({ number, timestamp, transactions }) => [
    blockLink(network, number),
    time(new Date(Math.min(Number(timestamp) * 1_000, DATE_MS_MAX))),
    html`${transactions.slice(0, ROWS_MAX).map((hash) => html`${hexLink(network, "tx", hash)} `)}`,
  ]);
  const shown = logs.toReversed().filter((log) => SHOWN_EVENTS.test(eventOf(network, log).title));
  return html`${table(["Block", "Time", "Transactions"], rows)}
    ${oldest > 0n ? html`<p><a href="/networks/${name}?before=${String(oldest)}">Older</a></p>` : []}
    <h2>Operations, transfers, freezes and new accounts in these blocks</h2>${eventTable(network, shown)}`;
}

/** Shows a transaction. Throws viem's error if no block has it. */
export async function transactionContent(network: Network, hash: viem.Hash): Promise<Html> {
  const [{ from, to, value, input }, receipt] = await Promise.all([
    network.client.getTransaction({ hash }),
    network.client.getTransactionReceipt({ hash }),
  ]);
  return html`${facts({
    Status: receipt.status === "success" ? "success" : "failed",
    Block: blockLink(network, receipt.blockNumber),
    From: showValue(network, from),
    To: to ? showValue(network, to) : html`new contract ${showValue(network, receipt.contractAddress)}`,
    Coin: viem.formatEther(value),
    "Gas used": String(receipt.gasUsed),
  })}
    <h2>Call</h2>${callContent(network, input)}
    <h2>Events</h2>${eventTable(network, receipt.logs)}`;
}

function callContent(network: Network, input: string): Html {
  const call = decodeData(input);
  const operations = call?.name === "handleOps" ? call.values["ops"] : undefined;
  if (!Array.isArray(operations)) return html`<p>${showValue(network, input)}</p>`;
  const rows = operations
    .slice(0, ROWS_MAX)
    .map(({ sender, nonce, callData }) => [sender, nonce, callData].map((value) => showValue(network, value)));
  return html`<p>handleOps</p>${table(["Sender", "Nonce", "Call"], rows)}`;
}

/** Shows an address, its USDC transfers and its operations. Returns undefined if the address was never seen. */
export async function addressContent(network: Network, address: viem.Address): Promise<Html | undefined> {
  const { client, usdc } = network;
  const transfers = { address: usdc, event: TRANSFER, fromBlock: 0n };
  const factory = ADDRESSES.local.agentAccountFactory;
  const [code, nonce, coinWei, baseUnits, created, sent, received, operations] = await Promise.all([
    client.getCode({ address }),
    client.getTransactionCount({ address }),
    client.getBalance({ address }),
    client.readContract({ address: usdc, abi: viem.erc20Abi, functionName: "balanceOf", args: [address] }),
    client.getLogs({ address: factory, event: CREATED, args: { account: address }, fromBlock: 0n }),
    client.getLogs({ ...transfers, args: { from: address } }),
    client.getLogs({ ...transfers, args: { to: address } }),
    client.getLogs({ address: entryPoint08Address, event: OPERATION, args: { sender: address }, fromBlock: 0n }),
  ]);
  const others = received.filter(({ args }) => args.from !== address);
  const logs = [...sent, ...others, ...operations].sort(
    (a, b) => Number(b.blockNumber - a.blockNumber) || b.logIndex - a.logIndex,
  );
  if (!code && nonce === 0 && coinWei === 0n && baseUnits === 0n && logs.length === 0) return undefined;
  const account = { address, abi: agentAccountAbi } as const;
  const accountFacts = created.length > 0 && {
    "Agent account": "yes",
    Signer: showValue(network, await client.readContract({ ...account, functionName: "signer" })),
    Frozen: (await client.readContract({ ...account, functionName: "frozen" })) ? "yes" : "no",
    Epoch: String(await client.readContract({ ...account, functionName: "epoch" })),
  };
  const balances = { USDC: formatUsdc(baseUnits), Coin: viem.formatEther(coinWei), Code: code ? "yes" : "no" };
  return html`${facts({ ...balances, ...accountFacts })}
    <h2>USDC transfers and operations</h2>${eventTable(network, logs)}`;
}

function facts(values: Readonly<Record<string, string | Html>>): Html {
  return html`<dl>${Object.entries(values).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

function eventTable(network: Network, logs: readonly viem.Log[]): Html {
  const rows = logs.slice(0, ROWS_MAX).map((log) => {
    const { title, values } = eventOf(network, log);
    const places = [blockLink(network, log.blockNumber ?? 0n), hexLink(network, "tx", log.transactionHash ?? "")];
    return [title, fieldsOf(network, values), showValue(network, log.address), ...places];
  });
  return html`${table(["Event", "Details", "Contract", "Block", "Transaction"], rows)}
    ${logs.length > ROWS_MAX ? html`<p class="quiet">Only ${String(ROWS_MAX)} are shown.</p>` : []}`;
}

/** Returns what happened. Any contract can emit a transfer or an operation, so the title depends on the contract too. */
function eventOf({ usdc }: Network, log: viem.Log): { title: string; values: object } {
  const event = decodeEvent(log);
  if (event === undefined) return { title: "Unknown event", values: { topics: log.topics, data: log.data } };
  const { from, to, value, sender, success, actualGasUsed, userOpHash } = event.values;
  const emitter = viem.getAddress(log.address);
  if (event.name === "Transfer" && emitter === usdc) {
    return { title: "USDC transfer", values: { amount: formatUsdc(value as bigint), from, to } };
  }
  if (event.name === "UserOperationEvent" && emitter === entryPoint08Address) {
    const result = success === true ? "success" : "failed";
    return { title: "Operation", values: { sender, result, "gas used": actualGasUsed, hash: userOpHash } };
  }
  return { title: event.name, values: event.values };
}

/** Renders a decoded value. Bytes that contain a call or an error are decoded too. */
function showValue(network: Network, value: unknown, depth = 0): Html {
  network.valuesLeft -= 1;
  if (network.valuesLeft < 0) return html`…`;
  if (Array.isArray(value)) return html`[${fieldsOf(network, value, depth)}]`;
  if (typeof value === "object" && value !== null) return html`{ ${fieldsOf(network, value, depth)} }`;
  if (typeof value !== "string") return html`${String(value)}`;
  if (viem.isAddress(value, { strict: false })) return addressLink(network, viem.getAddress(value));
  const call = depth < NESTED_CALLS_MAX ? decodeData(value) : undefined;
  if (call !== undefined) return html`<code>${call.name}</code>(${fieldsOf(network, call.values, depth + 1)})`;
  return html`<code>${value.length > TEXT_LENGTH_MAX ? `${value.slice(0, TEXT_LENGTH_MAX)}…` : value}</code>`;
}

function fieldsOf(network: Network, values: object, depth = 0): Html {
  const entries = Object.entries(values);
  const fields = entries.slice(0, ROWS_MAX).map(([name, value], index) => {
    const label = Array.isArray(values) ? "" : `${name}: `;
    return html`${index > 0 ? ", " : ""}${label}${showValue(network, value, depth)}`;
  });
  return html`${fields}${entries.length > ROWS_MAX ? ", …" : ""}`;
}

function formatUsdc(baseUnits: bigint): string {
  return `${formatTokenAmount({ asset: "usdc", baseUnits })} USDC`;
}

/** Links to the page of blocks that starts with this block. */
function blockLink({ name }: Network, number: bigint): Html {
  return html`<a href="/networks/${name}?before=${String(number + 1n)}">${String(number)}</a>`;
}

function addressLink(network: Network, address: viem.Address): Html {
  const contract = CONTRACTS.find(([, known]) => known === address)?.[0];
  return hexLink(network, "address", address, address === network.usdc ? "USDC" : contract);
}

function hexLink({ name }: Network, page: "tx" | "address", hex: string, text = `${hex.slice(0, 8)}…${hex.slice(-6)}`) {
  return html`<a href="/networks/${name}/${page}/${hex}" title="${hex}">${text}</a>`;
}

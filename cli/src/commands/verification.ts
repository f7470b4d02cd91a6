import { createWriteStream, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import {
  type AuditCheckpoint,
  type ReceiptedPayment,
  SignatureVerificationError,
  type TrustedKeys,
  verifyAuditExport,
  verifyFreezeProof,
  verifyPaymentReceipt,
  verifyRevocation,
} from "@purser/sdk";
import { Option } from "commander";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import type { Program } from "../command-groups.ts";
import { groupOf } from "../command-groups.ts";
import type { Context } from "../context.ts";
import { contentOf, jsonOf } from "../operation/request-options.ts";

export function verificationCommands({ program, run }: Program): void {
  const audit = groupOf(program, ["audit"]);
  audit
    .command("export")
    .description("Write a whole audit chain into a file, one entry a line.")
    .argument("<file>")
    .addOption(chainOption())
    .action(run((context, { chain }, [file = ""]) => exportChain(context, file, chain as Chain)));
  audit
    .command("verify")
    .description("Verify the audit chain on the server or, with --offline, an export without the server.")
    .addOption(chainOption())
    .addOption(new Option("--since <point>", "Only the entries after the newest checkpoint.").choices(["checkpoint"]))
    .option("--offline <file>", "The export to verify, from `purser audit export`.")
    .option("--keys <file>", "The server's keys that you trust: a saved copy of /.well-known/jwks.json.")
    .option(
      "--checkpoints <file>",
      "Checkpoints from the anchor or an earlier time: `purser audit checkpoints --all --output FILE`.",
    )
    .action(run((context, options) => verifyAudit(context, options)));
  groupOf(program, ["receipt"])
    .summary("Verify what the server has signed")
    .command("verify")
    .description(
      "Verify a payment's receipt, the proof of a freeze on chain or the report of a kill switch, without the server.",
    )
    .argument("<file>", "The response of the API, or the JSON output of this program. - reads standard input.")
    .requiredOption("--keys <file>", "The server's keys that you trust: a saved copy of /.well-known/jwks.json.")
    .action(run(async (context, { keys }, [file = ""]) => verifyStatementFile(context, { file, keys: String(keys) })));
}

type Chain = "tenant" | "provider_keys" | undefined;

function chainOption(): Option {
  return new Option("--chain <name>", "Default: tenant.").choices(["tenant", "provider_keys"]);
}

function chainQuery(chain: unknown): { chain?: NonNullable<Chain> } {
  return chain === undefined ? {} : { chain: chain as NonNullable<Chain> };
}

async function exportChain({ client, output, signal }: Context, file: string, chain: Chain): Promise<void> {
  let entries = 0;
  const lines = (await client()).audit.export(chainQuery(chain), { signal });
  const count = async function* (source: AsyncIterable<string>) {
    for await (const line of source) {
      entries += 1;
      yield `${line}\n`;
    }
  };
  // A half export could be taken for a whole one.
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await pipeline(lines, count, createWriteStream(temporary, { mode: 0o600, flags: "wx" }), { signal });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  output.result({
    data: { file, entries },
    text: `Wrote ${entries} entries to ${file}.\n`,
    nextSteps: [`purser audit verify --offline ${file} --keys jwks.json`],
  });
}

async function verifyAudit(context: Context, values: Readonly<Record<string, unknown>>): Promise<number> {
  const { offline: file, keys, checkpoints, chain } = values as Readonly<Record<string, string | undefined>>;
  if (file !== undefined) return verifyExportFile(context, { file, keys, checkpoints });
  const query = { ...chainQuery(chain), ...(values["since"] === "checkpoint" && { since: "checkpoint" as const }) };
  const data = await (await context.client()).audit.verify(query, { signal: context.signal });
  context.output.result({ data });
  return data.valid === true ? EXIT_CODES.ok : EXIT_CODES.error;
}

/** Verifies an export. Returns exit code 1 if it is not what the server signed. */
async function verifyExportFile(
  { output }: Context,
  { file, keys, checkpoints }: { file: string; keys: string | undefined; checkpoints: string | undefined },
): Promise<number> {
  if (keys === undefined) {
    throw new CliError({
      message: "Missing: --keys, the server's keys that you trust.",
      code: "option_missing",
      exitCode: EXIT_CODES.usage,
      nextSteps: ["curl -o jwks.json <base url>/.well-known/jwks.json, once, and keep the file"],
    });
  }
  const lines = (await open(file)).readLines();
  const result = await verifyAuditExport(lines, {
    publicKeys: readJson<TrustedKeys>(keys),
    checkpoints: checkpoints === undefined ? [] : listOf<AuditCheckpoint>(readJson(checkpoints)),
  });
  const { entriesChecked, brokenAt, anchored } = result;
  const valid = result.valid && entriesChecked > 0;
  if (anchored.sequence === 0)
    output.warn("No checkpoint confirms an entry, so entries could be missing at the end. Pass --checkpoints.");
  const verdict = valid ? "The chain is whole" : "The chain is NOT whole";
  const place =
    brokenAt === null ? "" : ` It breaks at entry ${brokenAt.sequence}: ${brokenAt.reason.replaceAll("_", " ")}.`;
  const text = `${verdict}: ${entriesChecked} entries checked, the first ${anchored.sequence} confirmed by checkpoints.${place}\n`;
  output.result({ data: result, text });
  return valid ? EXIT_CODES.ok : EXIT_CODES.error;
}

async function verifyStatementFile({ output }: Context, { file, keys }: { file: string; keys: string }): Promise<void> {
  const statement = unwrap(readJson<Readonly<Record<string, unknown>>>(file));
  const jwks = readJson<TrustedKeys>(keys);
  const kind = await verifyStatement(statement, jwks).catch((error: unknown) => {
    if (!(error instanceof SignatureVerificationError)) throw error;
    const nextSteps = ["Do not trust the file: it was changed, or the keys are those of another server."];
    throw new CliError({ message: error.message, code: "signature_invalid", nextSteps, cause: error });
  });
  output.result({ data: { valid: true, kind }, text: `Valid: the ${kind} is what the server signed.\n` });
}

async function verifyStatement(statement: Readonly<Record<string, unknown>>, jwks: TrustedKeys): Promise<string> {
  // The verifiers check every field that they read.
  if ("payment_id" in statement && "receipt" in statement) {
    await verifyPaymentReceipt(statement as unknown as ReceiptedPayment, jwks);
    return "payment receipt";
  }
  if ("kill_switch_id" in statement) {
    await verifyRevocation(statement as unknown as Parameters<typeof verifyRevocation>[0], jwks);
    return "report of the kill switch";
  }
  if ("proof" in statement) {
    await verifyFreezeProof(statement as unknown as Parameters<typeof verifyFreezeProof>[0], jwks);
    return "freeze";
  }
  throw new CliError({
    message: "The file has no signed statement: a payment, a freeze on chain or a kill switch.",
    code: "no_statement",
    exitCode: EXIT_CODES.validation,
    nextSteps: ["purser payments get <payment_id> --json > payment.json"],
  });
}

/** Returns the data of this program's JSON output, or what the file has. */
function unwrap(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return typeof json["ok"] === "boolean" ? (json["data"] as Readonly<Record<string, unknown>>) : json;
}

function listOf<Item>(json: unknown): readonly Item[] {
  const data = Array.isArray(json) ? json : (unwrap(json as Readonly<Record<string, unknown>>)["data"] ?? []);
  return data as readonly Item[];
}

function readJson<Data>(file: string): Data {
  return jsonOf(contentOf(file === "-" ? file : `@${file}`)) as Data;
}

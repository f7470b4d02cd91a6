import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT_DIR, type Started, start, useLocalProfile } from "./local-profile.ts";

const RUN_MAX_MS = 120_000;
/** Removes Node's own global object. `Buffer` remains, because Node's `fetch` uses it. */
const WITHOUT_PROCESS = "data:text/javascript,delete globalThis.process";
/** Registers the public key of `PRIVATE_KEY`, and makes a call and a payment that the private key signs. */
const SIGN_WITH_ED25519 = `
import { ed25519KeyProof, Purser } from "@purser/sdk";
const { PURSER_API_KEY: apiKey, PURSER_API_SECRET: apiSecret, PURSER_BASE_URL: baseUrl, PRIVATE_KEY: privateKey } = ENVIRONMENT;
const owner = new Purser({ apiKey, apiSecret, baseUrl });
const { developer_id, email } = await owner.developers.me();
const proof = await ed25519KeyProof(privateKey, developer_id);
const scopes = ["wallets:write", "agents:write", "payments:write"];
const issued = await owner.developers.keys.issue({ name: "ed25519", mode: "test", scopes, signature_alg: "ed25519", ...proof });
const purser = new Purser({ apiKey: issued.api_key, privateKey, baseUrl });
const { agent_id } = await purser.agents.create({ name: "signer" });
const { wallet_id } = await purser.wallets.create({ agent_id, network: "base" });
await purser.wallets.fund(wallet_id, { amount: "100.00" });
const paid = await purser.payments.send({ agent_id, amount: "5.00", to: "0x8ba1f109551bD432803012645Ac136ddd64DBA72" });
console.log((await purser.developers.me()).email === email, paid.status);
`;

describe("the packed SDK, installed in an empty folder", () => {
  const lab = useLocalProfile(afterAll);
  let folder: string;
  let started: Started;
  let blocks: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "purser-sdk-"));
    await run("npm", ["run", "build:sdk"], PROJECT_DIR);
    await run("npm", ["pack", join(PROJECT_DIR, "sdk/typescript/dist")]);
    await writeFile(join(folder, "package.json"), "{}");
    await run("npm", ["install", "--offline", "purser-sdk-0.1.0.tgz"]);
    const readme = await readFile(join(PROJECT_DIR, "sdk/typescript/README.md"), "utf8");
    blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code);
    started = await start(await lab.stoppedDataDir());
  }, RUN_MAX_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function credentials(): Readonly<Record<string, string>> {
    const { base_url, demo } = started.line;
    return {
      PURSER_BASE_URL: base_url,
      PURSER_API_KEY: demo.test.api_key,
      PURSER_API_SECRET: demo.test.api_secret,
    };
  }

  async function run(program: string, args: readonly string[], cwd = folder, environment = {}): Promise<string> {
    const { PATH = "", HOME = "" } = process.env;
    // npm adds folders with Node 24 to the path.
    const installed = PATH.split(delimiter).filter((each) => !each.includes("node_modules"));
    const env = { PATH: installed.join(delimiter), HOME, ...environment };
    const options = { cwd, env, timeout: RUN_MAX_MS };
    return (await promisify(execFile)(program, args, options)).stdout;
  }

  /** `node` is the installed Node, which can be Node 20. `process.execPath` is Node 24. */
  it.each([
    ["the installed Node", "node"],
    ["Node 24", process.execPath],
  ])("runs the README's first call and first payment as printed on %s", async (_name, node) => {
    const [call = "", payment = ""] = blocks;
    await writeFile(join(folder, "call.mjs"), call);
    await writeFile(join(folder, "payment.mjs"), payment);

    expect(await run(node, ["call.mjs"], folder, credentials())).toMatch(
      /^\{ GREETING: 'hello' \}\nmy-app-\d+ active\n/,
    );
    expect(await run(node, ["payment.mjs"], folder, credentials())).toBe("confirmed 5.00 USDC\n");
  });

  it("signs and verifies on a runtime that has only web APIs, also with an Ed25519 key", async () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const environment = { ...credentials(), PRIVATE_KEY: privateKey.export({ format: "pem", type: "pkcs8" }) };
    const constant = `const ENVIRONMENT = ${JSON.stringify(environment)};\n`;
    const [call = ""] = blocks;
    const options = `{ baseUrl: ENVIRONMENT.PURSER_BASE_URL, apiKey: ENVIRONMENT.PURSER_API_KEY, apiSecret: ENVIRONMENT.PURSER_API_SECRET }`;
    await writeFile(join(folder, "edge.mjs"), constant + call.replace("new Purser()", `new Purser(${options})`));
    await writeFile(join(folder, "ed25519.mjs"), constant + SIGN_WITH_ED25519);

    const sdk = await readFile(join(folder, "node_modules/@purser/sdk/index.js"), "utf8");
    expect(sdk).not.toMatch(/\bBuffer\b|from "node:|require\(/);
    expect(await run("node", ["--import", WITHOUT_PROCESS, "edge.mjs"])).toContain("GREETING: 'hello'");
    expect(await run("node", ["--import", WITHOUT_PROCESS, "ed25519.mjs"])).toBe("true confirmed\n");
  });

  it("has types that compile strictly without Node's types", async () => {
    await symlink(join(PROJECT_DIR, "node_modules/typescript"), join(folder, "node_modules/typescript"));
    for (const [index, block] of blocks.entries()) await writeFile(join(folder, `block-${index}.mts`), block);
    const files = blocks.map((_, index) => `block-${index}.mts`);
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom"];

    const tsc = ["node_modules/typescript/bin/tsc", ...options, ...files];
    expect(await run(process.execPath, tsc)).toBe("");
  });
});

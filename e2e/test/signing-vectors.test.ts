import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { signingKey, signRequest } from "@purser/sdk";
import {
  ed25519Canonical,
  importEd25519PublicKey,
  verifyEd25519,
  verifyProofOfPossession,
} from "@purser/service/crypto/ed25519.ts";
import { requestSignature, sha256Hex } from "@purser/service/crypto/signing.ts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needsTools } from "../../local/test/needs-tools.ts";

const VECTORS = 1_000;
const SEED = 20_261_121;
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;
const PAGE = new URL("../../docs/signing.md", import.meta.url);

interface Vector {
  readonly secret: string;
  readonly timestamp: number;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** A request sent by the documents' program: its body in base64, and its signature. */
interface SentRequest {
  readonly data: string;
  readonly signature: string;
}

/**
 * Python code that is appended to the documents' program. It signs each vector at the vector's time and without network
 * access.
 */
const DRIVER = `
import base64, io, sys
os.environ.update(PURSER_API_KEY="svc_sk_test_1", PURSER_BASE_URL="http://127.0.0.1")
sent = []
def capture(request):
    data = base64.b64encode(request.data or b"").decode()
    sent.append({"data": data, "signature": request.get_header("X-request-signature")})
    return io.BytesIO(b"{}")
urllib.request.urlopen = capture
for vector in json.load(open(sys.argv[1], encoding="utf-8")):
    os.environ["PURSER_API_SECRET"] = vector["secret"]
    time.time = lambda: vector["timestamp"]
    signed(vector["method"], vector["path"].removeprefix("/api/v1/svc"), vector["body"])
print(json.dumps(sent))
`;

const segment = fc.string({ unit: "grapheme", maxLength: 12 }).map(encodeURIComponent);
const vector: fc.Arbitrary<Vector> = fc.record({
  secret: fc.stringMatching(/^svc_ss_(live|test)_[A-Za-z0-9_-]{64}$/),
  timestamp: fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }),
  method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
  path: fc
    .tuple(fc.array(segment, { maxLength: 4 }), fc.array(fc.tuple(segment, segment), { maxLength: 3 }))
    .map(([segments, query]) => {
      const search = query.map(([name, value]) => `${name}=${value}`).join("&");
      return `/api/v1/svc/${segments.join("/")}${search === "" ? "" : `?${search}`}`;
    }),
  body: fc.option(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), { nil: null }),
});

describe.skipIf(needsTools("python3"))("a thousand random requests", () => {
  const vectors = fc.sample(vector, { numRuns: VECTORS, seed: SEED });
  let folder: string;
  let sent: readonly SentRequest[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "purser-vectors-"));
    const file = join(folder, "vectors.json");
    await writeFile(file, JSON.stringify(vectors));
    const { stdout } = await promisify(execFile)("python3", ["-c", (await documentedProgram()) + DRIVER, file], {
      maxBuffer: OUTPUT_MAX_BYTES,
    });
    sent = JSON.parse(stdout);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("have the same signature in the server, the TypeScript SDK and the documents' Python program", async () => {
    expect(sent).toHaveLength(VECTORS);
    for (const [index, { secret, timestamp, method, path }] of vectors.entries()) {
      const body = Buffer.from(sent[index]?.data ?? "", "base64");
      const parts = { timestamp: String(timestamp), method, path };
      const expected = requestSignature(sha256Hex(secret), { ...parts, bodyHash: sha256Hex(body) });
      expect(sent[index]?.signature).toBe(expected.toString("hex"));
      expect(await signRequest(await signingKey(secret), { ...parts, body })).toBe(expected.toString("hex"));
    }
  });

  it("include requests with and without body, with and without query, and with encoded characters", () => {
    const bodies = sent.filter(({ data }) => data !== "").length;
    const queries = vectors.filter(({ path }) => path.includes("?")).length;
    const encoded = vectors.filter(({ path }) => path.includes("%")).length;

    for (const count of [bodies, VECTORS - bodies, queries, VECTORS - queries, encoded]) {
      expect(count).toBeGreaterThan(100);
    }
    expect(new Set(sent.map(({ signature }) => signature)).size).toBe(VECTORS);
  });
});

describe("the Ed25519 vectors", () => {
  it("are what the server verifies", async () => {
    const vectors = JSON.parse(await readFile(new URL("../../vectors/ed25519.json", import.meta.url), "utf8"));
    expect(vectors.length).toBeGreaterThanOrEqual(24);
    for (const vector of vectors) {
      const { timestamp, nonce, method, path: target, canonical, public_key: publicKey } = vector;
      const headers = { agentId: vector.agent_id ?? undefined, idempotencyKey: vector.idempotency_key ?? undefined };
      const bodyHash = sha256Hex(Buffer.from(vector.body_base64, "base64"));

      expect(ed25519Canonical({ timestamp, nonce, method, target, ...headers, bodyHash })).toBe(canonical);
      const signature = Buffer.from(vector.signature, "hex");
      expect(verifyEd25519(importEd25519PublicKey(publicKey), canonical, signature)).toBe(true);
      expect(verifyProofOfPossession(publicKey, vector.proof, { holderId: vector.developer_id })).toBe(true);
    }
  });
});

/** Returns the documents' Python program without the calls at its end. */
async function documentedProgram(): Promise<string> {
  const [, program = ""] = (await readFile(PAGE, "utf8")).split("```python\n");
  return program.slice(0, program.indexOf("\nprint(signed("));
}

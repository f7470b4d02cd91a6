import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type AuditCheckpoint, verifyAuditExport } from "../src/index.ts";
import {
  chainLines,
  checkpointsOf,
  entriesOf,
  entryContent,
  hashOf,
  newSigner,
  sha256,
  TENANT,
  withFields,
} from "./audit-chain.ts";

const LENGTH = 60;
const CHECKPOINT_SEQUENCES = [20, 45];
const ANCHORED = 45;
const allSequences = Array.from({ length: LENGTH }, (_, index) => index + 1);

const signer = newSigner();
const lines = chainLines(entriesOf(LENGTH));
const checkpoints = checkpointsOf(lines, CHECKPOINT_SEQUENCES, signer);

const lineAt = (sequence: number) => lines[sequence - 1] ?? "";

function verify(given: Iterable<string>, stated: readonly AuditCheckpoint[] = checkpoints) {
  return verifyAuditExport(given, { checkpoints: stated, publicKeys: { keys: [signer.jwk] } });
}

describe("an unchanged export", () => {
  it("is valid, and counts the entries after the newest checkpoint as unanchored", async () => {
    expect(await verify(lines)).toEqual({
      valid: true,
      entriesChecked: LENGTH,
      headHash: hashOf(lineAt(LENGTH)),
      brokenAt: null,
      rejectedCheckpoint: null,
      anchored: {
        sequence: ANCHORED,
        hash: hashOf(lineAt(ANCHORED)),
        unanchoredEntries: LENGTH - ANCHORED,
      },
      truncationDetected: false,
    });
  });

  it("is valid without checkpoints, and counts all entries as unanchored", async () => {
    expect(await verify(lines, [])).toMatchObject({
      valid: true,
      anchored: { sequence: 0, hash: "0".repeat(64), unanchoredEntries: LENGTH },
    });
    expect(await verify([], [])).toMatchObject({ valid: true, entriesChecked: 0 });
  });

  it("is valid as an async stream, with checkpoints in any order", async () => {
    async function* stream() {
      yield* lines;
    }
    const options = {
      checkpoints: checkpoints.toReversed(),
      publicKeys: { keys: [newSigner().jwk, signer.jwk] },
      expectedTenant: TENANT,
      expectedChain: "tenant",
    };

    expect(await verifyAuditExport(stream(), options)).toMatchObject({
      valid: true,
      anchored: { sequence: ANCHORED },
    });
  });

  it("is valid if the first checkpoint is missing", async () => {
    expect(await verify(lines, checkpoints.slice(1))).toMatchObject({
      valid: true,
      anchored: { sequence: ANCHORED },
    });
  });

  it("is invalid if a different tenant or chain is expected", async () => {
    for (const expected of [{ expectedTenant: "dev_other" }, { expectedChain: "provider_keys" }]) {
      const options = { checkpoints, publicKeys: { keys: [signer.jwk] }, ...expected };
      expect(await verifyAuditExport(lines, options)).toMatchObject({
        valid: false,
        brokenAt: { sequence: 1, reason: "other_chain" },
      });
    }
  });
});

describe("a changed entry", () => {
  const fields = Object.keys(JSON.parse(lineAt(1)));

  it.each(fields)("is detected at every sequence if its hash is not recomputed: %s", async (field) => {
    for (const sequence of allSequences) {
      const { [field]: value, ...rest } = JSON.parse(lineAt(sequence));
      const other = { [field]: typeof value === "number" ? value + 1 : `x${value}` };
      const variants = [
        withFields(lineAt(sequence), other),
        withFields(lineAt(sequence), { [field]: { nested: value } }),
        withFields(JSON.stringify(rest), {}),
      ];
      for (const line of variants) {
        const findings = await verify(lines.with(sequence - 1, line));
        expect([sequence, findings.valid, findings.brokenAt?.sequence]).toEqual([sequence, false, sequence]);
      }
    }
  });

  it("is detected at every sequence: an added field with the old hash", async () => {
    for (const sequence of allSequences) {
      const { facts } = JSON.parse(lineAt(sequence));
      for (const more of [{ note: "more" }, { facts: { ...facts, note: "more" } }]) {
        const findings = await verify(lines.with(sequence - 1, withFields(lineAt(sequence), more)));
        expect(findings.brokenAt).toMatchObject({ sequence, reason: "hash_mismatch" });
      }
    }
  });

  it("is detected at every sequence: a change with a recomputed hash, by the next entry", async () => {
    for (const sequence of allSequences.slice(0, -1)) {
      const entries = entriesOf(LENGTH).with(sequence - 1, {
        ...entryContent(sequence),
        action: "note.burnt",
      });
      const rehashed = chainLines(entries)[sequence - 1] ?? "";
      expect(await verify(lines.with(sequence - 1, rehashed))).toMatchObject({
        valid: false,
        brokenAt: { sequence: sequence + 1, reason: "prev_hash_mismatch" },
      });
    }
  });
});

describe("a gap in the sequence with valid hashes", () => {
  it("is detected at its position", async () => {
    const skipping = chainLines(entriesOf(9), (sequence) => (sequence > 4 ? sequence + 1 : sequence));

    expect(await verify(skipping, [])).toMatchObject({
      valid: false,
      entriesChecked: 4,
      brokenAt: { sequence: 5, reason: "sequence_gap", expected: "5", actual: "6" },
    });
  });
});

describe("deleted, moved and inserted entries", () => {
  it("are detected at every sequence", async () => {
    const otherLine = chainLines([entryContent(99)])[0] ?? "";
    for (const sequence of allSequences.slice(0, -1)) {
      const variants = [
        lines.toSpliced(sequence - 1, 1),
        lines.toSpliced(sequence - 1, 0, lineAt(sequence)),
        lines.with(sequence - 1, lineAt(sequence + 1)).with(sequence, lineAt(sequence)),
        lines.toSpliced(sequence - 1, 0, otherLine),
      ];
      for (const variant of variants) {
        expect((await verify(variant)).valid).toBe(false);
      }
    }
  });

  it("are detected if the export is truncated before the newest checkpoint", async () => {
    for (const left of [0, ...allSequences.slice(0, -1)]) {
      expect(await verify(lines.slice(0, left))).toMatchObject({
        valid: left >= ANCHORED,
        brokenAt: null,
        truncationDetected: left < ANCHORED,
        entriesChecked: left,
      });
    }
  });

  it("are detected before the newest checkpoint even if all hashes are recomputed", async () => {
    for (const sequence of allSequences) {
      const entries = entriesOf(LENGTH).with(sequence - 1, {
        ...entryContent(sequence),
        action: "note.burnt",
      });
      const below = CHECKPOINT_SEQUENCES.find((anchored) => sequence <= anchored);
      expect(await verify(chainLines(entries))).toMatchObject({
        valid: below === undefined,
        brokenAt: null,
        rejectedCheckpoint: below === undefined ? null : { sequence: below, reason: "head_mismatch" },
      });
    }
  });
});

describe("a checkpoint", () => {
  const [first, second] = checkpoints as [AuditCheckpoint, AuditCheckpoint];

  it("is rejected if its key is not trusted, for any key_id and kid", async () => {
    const untrusted = newSigner();
    const forged = checkpointsOf(lines, [20], untrusted);
    expect((await verify(lines, forged)).rejectedCheckpoint).toEqual({
      sequence: 20,
      reason: "unknown_key",
    });
    const renamed = forged.map((checkpoint) => ({ ...checkpoint, key_id: signer.keyId }));
    expect((await verify(lines, renamed)).rejectedCheckpoint).toMatchObject({
      reason: "bad_signature",
    });
    const misnamed = { ...untrusted.jwk, kid: signer.keyId };
    const options = { checkpoints: renamed, publicKeys: { keys: [misnamed] } };
    expect(await verifyAuditExport(lines, options)).toMatchObject({
      valid: false,
      rejectedCheckpoint: { reason: "unknown_key" },
    });
  });

  it("is rejected if any bit of its signature is flipped", async () => {
    const bytes = Buffer.from(first.signature, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const signature = flipped.toString("base64url");
      expect((await verify(lines.slice(0, 30), [{ ...first, signature }])).valid).toBe(false);
    }
  });

  it.each([
    ["tenant_id", "dev_other"],
    ["chain", "provider_keys"],
    ["sequence", 21],
    ["head_hash", hashOf(lineAt(21))],
    ["time", "2020-01-01T00:00:00.000Z"],
    ["prev_checkpoint_hash", sha256("other")],
    ["checkpoint_hash", sha256("other")],
    ["signature", ""],
    ["key_id", "0".repeat(16)],
  ])("is rejected if %s differs from the signed value", async (field, value) => {
    const { valid, rejectedCheckpoint } = await verify(lines, [{ ...first, [field]: value }]);

    expect([valid, rejectedCheckpoint?.reason]).toEqual([false, field === "key_id" ? "unknown_key" : "bad_signature"]);
  });

  it.each([
    ["tenant_id", null],
    ["time", 5],
    ["head_hash", "\ud800"],
    ["sequence", "20"],
    ["sequence", 0],
    ["sequence", 20.5],
    ["signature", undefined],
  ])("is rejected if its %s is %j", async (field, value) => {
    const broken = { ...first, [field]: value } as unknown as AuditCheckpoint;

    expect(await verify(lines, [broken])).toMatchObject({
      valid: false,
      rejectedCheckpoint: { reason: "malformed" },
    });
  });

  it("is rejected if its predecessor is missing from the list", async () => {
    const three = checkpointsOf(lines, [10, 20, 45], signer);

    expect(await verify(lines, three.toSpliced(1, 1))).toMatchObject({
      valid: false,
      rejectedCheckpoint: { sequence: 45, reason: "not_linked" },
      anchored: { sequence: 10 },
    });
  });

  it("is rejected if it belongs to a different tenant or chain", async () => {
    for (const fields of [{ tenant_id: "dev_other" }, { chain: "provider_keys" }]) {
      const foreign = checkpointsOf(lines, [20], signer, fields);
      expect((await verify(lines, foreign)).rejectedCheckpoint?.reason).toBe("other_chain");
    }
    const empty = { checkpoints: [first], publicKeys: { keys: [signer.jwk] } };
    expect(await verifyAuditExport([], { ...empty, expectedTenant: "dev_other" })).toMatchObject({
      valid: false,
      rejectedCheckpoint: { reason: "other_chain" },
    });
  });

  it("confirms the entries up to it even if a later checkpoint is rejected", async () => {
    const rewritten = chainLines(entriesOf(LENGTH).with(29, { ...entryContent(30), action: "note.burnt" }));

    expect(await verify(rewritten, [first, second])).toMatchObject({
      valid: false,
      anchored: { sequence: 20 },
      rejectedCheckpoint: { sequence: 45, reason: "head_mismatch" },
    });
  });
});

describe("malformed lines", () => {
  const line = lineAt(1);

  it.each([
    ["a duplicate member", line.replace('"action":', '"action":"other","action":')],
    ["a duplicate hash", line.replace('"hash":', `"hash":"${sha256("")}","hash":`)],
    ["a number with an exponent", line.replace('"sequence":1,', '"sequence":1e0,')],
    ["a number with a zero fraction", line.replace('"sequence":1,', '"sequence":1.0,')],
    ["negative zero", line.replace('"number":1', '"number":-0')],
    ["white space", line.replace(":", ": ")],
    ["trailing white space", `${line} `],
    ["a trailing carriage return", `${line}\r`],
    ["a byte order mark", `\ufeff${line}`],
    ["an unnecessary escape", line.replace("note.written", "note.\\u0077ritten")],
    ["members in a different order", `{"zone":1,${line.slice(1)}`],
    ["a __proto__ member", line.replace("{", '{"__proto__":{"sequence":1},')],
    ["a lone surrogate", line.replace("note.written", "note.\\ud800")],
    ["an integer beyond double precision", line.replace('"number":1', '"number":9007199254740993')],
    ["a number that overflows to infinity", line.replace('"number":1', '"number":1e999')],
    ["null", "null"],
    ["an array", "[]"],
    ["a string", '"text"'],
    ["invalid JSON", "{"],
    ["an empty line", ""],
    ["two entries", line + line],
    ["nesting deeper than the call stack", "[".repeat(200_000) + "]".repeat(200_000)],
    [
      "facts nested deeper than the call stack",
      line.replace('"number":1', `"number":${"[".repeat(100_000)}${"]".repeat(100_000)}`),
    ],
  ])("are rejected: %s", async (_name, malformed) => {
    expect(await verify([malformed, ...lines.slice(1)], [])).toMatchObject({
      valid: false,
      entriesChecked: 0,
      brokenAt: { sequence: 1, reason: expect.stringMatching(/^(unreadable|hash_mismatch)$/) },
    });
  });

  it("are rejected: a valid entry that is too long", async () => {
    const [long = ""] = chainLines([{ ...entryContent(1), action: "x".repeat(5_000_000) }]);

    expect((await verify([long], [])).brokenAt).toMatchObject({ reason: "unreadable" });
  });

  it("stop the verification: later lines are not read, and the iterator is closed", async () => {
    let linesRead = 0;
    let isClosed = false;
    function* source() {
      try {
        for (const each of lines.with(2, "{}")) {
          linesRead += 1;
          yield each;
        }
      } finally {
        isClosed = true;
      }
    }

    expect((await verify(source())).brokenAt).toMatchObject({ sequence: 3, reason: "unreadable" });
    expect([linesRead, isClosed]).toEqual([3, true]);
  });
});

describe("findings", () => {
  it("no truncation: the chain is broken before a checkpoint", async () => {
    expect(await verify(lines.with(2, "{}"))).toMatchObject({
      valid: false,
      entriesChecked: 2,
      brokenAt: { sequence: 3 },
      truncationDetected: false,
    });
  });

  it("head_mismatch: the checkpoint of the last entry contains a different hash", async () => {
    const last = checkpointsOf(lines, [LENGTH], signer, { head_hash: sha256("other") });

    expect(await verify(lines, last)).toMatchObject({
      valid: false,
      rejectedCheckpoint: { sequence: LENGTH, reason: "head_mismatch" },
    });
  });

  it("valid: a checkpoint exists for the first entry", async () => {
    expect(await verify(lines, checkpointsOf(lines, [1], signer))).toMatchObject({
      valid: true,
      anchored: { sequence: 1, unanchoredEntries: LENGTH - 1 },
    });
  });

  it("valid: the trusted keys include other key types", async () => {
    const others = [
      generateKeyPairSync("x25519").publicKey,
      generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey,
      generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey,
    ].map((key) => key.export({ format: "jwk" }));
    const unknown = { kty: "OKP", crv: "Ed448" };
    const mislabelled = { kty: "RSA", crv: "Ed25519" };
    const keys = [unknown, mislabelled, ...others, signer.jwk];

    expect(await verifyAuditExport(lines, { checkpoints, publicKeys: { keys } })).toMatchObject({
      valid: true,
      anchored: { sequence: ANCHORED },
    });
  });

  it.each([
    ["sequence", "1"],
    ["sequence", 1.5],
    ["sequence", 2 ** 53],
    ["sequence", null],
    ["hash", null],
    ["hash", 1],
    ["prev_hash", 1],
    ["tenant_id", null],
    ["chain", ["tenant"]],
  ])("unreadable: an entry's %s is %j", async (field, value) => {
    const [first = "", ...rest] = lines;

    expect((await verify([withFields(first, { [field]: value }), ...rest], [])).brokenAt).toEqual({
      sequence: 1,
      reason: "unreadable",
      expected: null,
      actual: null,
    });
  });
});

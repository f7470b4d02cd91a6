import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type AuditCheckpoint, verifyAuditExport } from "../src/index.ts";
import {
  changed,
  checkpointsOf,
  entriesOf,
  hashOf,
  linesOf,
  newSigner,
  said,
  sha256,
  TENANT,
} from "./audit-chain.ts";

const LENGTH = 60;
const PLACES = [20, 45];
const ANCHORED = 45;
const everyPlace = Array.from({ length: LENGTH }, (_, index) => index + 1);

const signer = newSigner();
const lines = linesOf(entriesOf(LENGTH));
const checkpoints = checkpointsOf(lines, PLACES, signer);

const lineAt = (place: number) => lines[place - 1] ?? "";

function verify(given: Iterable<string>, stated: readonly AuditCheckpoint[] = checkpoints) {
  return verifyAuditExport(given, { checkpoints: stated, publicKeys: { keys: [signer.jwk] } });
}

describe("an export that nobody has touched", () => {
  it("is valid, and what lies above the newest checkpoint is told as unanchored", async () => {
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

  it("is valid without checkpoints, and all of it unanchored", async () => {
    expect(await verify(lines, [])).toMatchObject({
      valid: true,
      anchored: { sequence: 0, hash: "0".repeat(64), unanchoredEntries: LENGTH },
    });
    expect(await verify([], [])).toMatchObject({ valid: true, entriesChecked: 0 });
  });

  it("may come a line at a time, and with checkpoints in any order", async () => {
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

  it("is valid by a later run of checkpoints alone, as somebody has kept them", async () => {
    expect(await verify(lines, checkpoints.slice(1))).toMatchObject({
      valid: true,
      anchored: { sequence: ANCHORED },
    });
  });

  it("is not valid for another tenant, or as another chain", async () => {
    for (const expected of [{ expectedTenant: "dev_other" }, { expectedChain: "provider_keys" }]) {
      const options = { checkpoints, publicKeys: { keys: [signer.jwk] }, ...expected };
      expect(await verifyAuditExport(lines, options)).toMatchObject({
        valid: false,
        brokenAt: { sequence: 1, reason: "other_chain" },
      });
    }
  });
});

describe("a change of one entry, whose hash stays", () => {
  const fields = Object.keys(JSON.parse(lineAt(1)));

  it.each(fields)("is found at every place: %s", async (field) => {
    for (const place of everyPlace) {
      const { [field]: value, ...rest } = JSON.parse(lineAt(place));
      const other = { [field]: typeof value === "number" ? value + 1 : `x${value}` };
      const variants = [
        changed(lineAt(place), other),
        changed(lineAt(place), { [field]: { nested: value } }),
        changed(JSON.stringify(rest), {}),
      ];
      for (const line of variants) {
        const findings = await verify(lines.with(place - 1, line));
        expect([place, findings.valid, findings.brokenAt?.sequence]).toEqual([place, false, place]);
      }
    }
  });

  it("is found at every place: a field that was added, deep down or at the top", async () => {
    for (const place of everyPlace) {
      const { facts } = JSON.parse(lineAt(place));
      for (const more of [{ note: "more" }, { facts: { ...facts, note: "more" } }]) {
        const findings = await verify(lines.with(place - 1, changed(lineAt(place), more)));
        expect(findings.brokenAt).toMatchObject({ sequence: place, reason: "hash_mismatch" });
      }
    }
  });

  it("is found at every place: a new hash of its own, by the entry behind it", async () => {
    for (const place of everyPlace.slice(0, -1)) {
      const entries = entriesOf(LENGTH).with(place - 1, { ...said(place), action: "note.burnt" });
      const rehashed = linesOf(entries)[place - 1] ?? "";
      expect(await verify(lines.with(place - 1, rehashed))).toMatchObject({
        valid: false,
        brokenAt: { sequence: place + 1, reason: "prev_hash_mismatch" },
      });
    }
  });
});

describe("a chain whose places are not one after the other, with every hash as it ought to be", () => {
  it("is found where the gap is", async () => {
    const skipping = linesOf(entriesOf(9), (place) => (place > 4 ? place + 1 : place));

    expect(await verify(skipping, [])).toMatchObject({
      valid: false,
      entriesChecked: 4,
      brokenAt: { sequence: 5, reason: "sequence_gap", expected: "5", actual: "6" },
    });
  });
});

describe("entries that were moved, and lengths that were changed", () => {
  it("are found at every place: deleted, doubled, swapped, inserted", async () => {
    const stranger = linesOf([said(99)])[0] ?? "";
    for (const place of everyPlace.slice(0, -1)) {
      const variants = [
        lines.toSpliced(place - 1, 1),
        lines.toSpliced(place - 1, 0, lineAt(place)),
        lines.with(place - 1, lineAt(place + 1)).with(place, lineAt(place)),
        lines.toSpliced(place - 1, 0, stranger),
      ];
      for (const variant of variants) {
        expect((await verify(variant)).valid).toBe(false);
      }
    }
  });

  it("are found at every length below the newest checkpoint, and told as unanchored above it", async () => {
    for (const left of [0, ...everyPlace.slice(0, -1)]) {
      expect(await verify(lines.slice(0, left))).toMatchObject({
        valid: left >= ANCHORED,
        brokenAt: null,
        truncationDetected: left < ANCHORED,
        entriesChecked: left,
      });
    }
  });

  it("are found below the newest checkpoint with every hash made anew, and told as unanchored above it", async () => {
    for (const place of everyPlace) {
      const entries = entriesOf(LENGTH).with(place - 1, { ...said(place), action: "note.burnt" });
      const below = PLACES.find((anchored) => place <= anchored);
      expect(await verify(linesOf(entries))).toMatchObject({
        valid: below === undefined,
        brokenAt: null,
        rejectedCheckpoint:
          below === undefined ? null : { sequence: below, reason: "head_mismatch" },
      });
    }
  });
});

describe("a checkpoint", () => {
  const [first, second] = checkpoints as [AuditCheckpoint, AuditCheckpoint];

  it("of a key that is not trusted is refused, whatever it calls itself", async () => {
    const stranger = newSigner();
    const forged = checkpointsOf(lines, [20], stranger);
    expect((await verify(lines, forged)).rejectedCheckpoint).toEqual({
      sequence: 20,
      reason: "unknown_key",
    });
    const renamed = forged.map((checkpoint) => ({ ...checkpoint, key_id: signer.keyId }));
    expect((await verify(lines, renamed)).rejectedCheckpoint).toMatchObject({
      reason: "bad_signature",
    });
    const misnamed = { ...stranger.jwk, kid: signer.keyId };
    const options = { checkpoints: renamed, publicKeys: { keys: [misnamed] } };
    expect(await verifyAuditExport(lines, options)).toMatchObject({
      valid: false,
      rejectedCheckpoint: { reason: "unknown_key" },
    });
  });

  it("is refused with any bit of its signature changed", async () => {
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
  ])("is refused with another %s than was signed", async (field, value) => {
    const { valid, rejectedCheckpoint } = await verify(lines, [{ ...first, [field]: value }]);

    expect([valid, rejectedCheckpoint?.reason]).toEqual([
      false,
      field === "key_id" ? "unknown_key" : "bad_signature",
    ]);
  });

  it.each([
    ["tenant_id", null],
    ["time", 5],
    ["head_hash", "\ud800"],
    ["sequence", "20"],
    ["sequence", 0],
    ["sequence", 20.5],
    ["signature", undefined],
  ])("is refused with a %s that is %j", async (field, value) => {
    const broken = { ...first, [field]: value } as unknown as AuditCheckpoint;

    expect(await verify(lines, [broken])).toMatchObject({
      valid: false,
      rejectedCheckpoint: { reason: "malformed" },
    });
  });

  it("is refused when one before it was left out", async () => {
    const three = checkpointsOf(lines, [10, 20, 45], signer);

    expect(await verify(lines, three.toSpliced(1, 1))).toMatchObject({
      valid: false,
      rejectedCheckpoint: { sequence: 45, reason: "not_linked" },
      anchored: { sequence: 10 },
    });
  });

  it("of another tenant or chain says nothing about this one", async () => {
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

  it("vouches for what is below it, though a later one does not hold", async () => {
    const rewritten = linesOf(entriesOf(LENGTH).with(29, { ...said(30), action: "note.burnt" }));

    expect(await verify(rewritten, [first, second])).toMatchObject({
      valid: false,
      anchored: { sequence: 20 },
      rejectedCheckpoint: { sequence: 45, reason: "head_mismatch" },
    });
  });
});

describe("lines that were made to mislead", () => {
  const line = lineAt(1);

  it.each([
    ["a member twice", line.replace('"action":', '"action":"other","action":')],
    ["a hash twice", line.replace('"hash":', `"hash":"${sha256("")}","hash":`)],
    ["a number written otherwise", line.replace('"sequence":1,', '"sequence":1e0,')],
    ["a number with a fraction of nothing", line.replace('"sequence":1,', '"sequence":1.0,')],
    ["minus zero", line.replace('"number":1', '"number":-0')],
    ["space", line.replace(":", ": ")],
    ["space behind it", `${line} `],
    ["a carriage return behind it", `${line}\r`],
    ["a byte order mark", `\ufeff${line}`],
    ["an escape that is not needed", line.replace("note.written", "note.\\u0077ritten")],
    ["members in another order", `{"zone":1,${line.slice(1)}`],
    ["a prototype", line.replace("{", '{"__proto__":{"sequence":1},')],
    ["half of a surrogate pair", line.replace("note.written", "note.\\ud800")],
    ["a number that no double holds", line.replace('"number":1', '"number":9007199254740993')],
    ["a number without end", line.replace('"number":1', '"number":1e999')],
    ["nothing but null", "null"],
    ["a list", "[]"],
    ["a text", '"text"'],
    ["no JSON", "{"],
    ["nothing", ""],
    ["two entries", line + line],
    ["a depth beyond any stack", "[".repeat(200_000) + "]".repeat(200_000)],
    [
      "a depth beyond any stack, in its facts",
      line.replace('"number":1', `"number":${"[".repeat(100_000)}${"]".repeat(100_000)}`),
    ],
  ])("are refused: %s", async (_name, misleading) => {
    expect(await verify([misleading, ...lines.slice(1)], [])).toMatchObject({
      valid: false,
      entriesChecked: 0,
      brokenAt: { sequence: 1, reason: expect.stringMatching(/^(unreadable|hash_mismatch)$/) },
    });
  });

  it("are refused beyond any length, whatever is in them", async () => {
    const [long = ""] = linesOf([{ ...said(1), action: "x".repeat(5_000_000) }]);

    expect((await verify([long], [])).brokenAt).toMatchObject({ reason: "unreadable" });
  });

  it("are not read any further than to the first that is not good", async () => {
    let taken = 0;
    let isClosed = false;
    function* source() {
      try {
        for (const each of lines.with(2, "{}")) {
          taken += 1;
          yield each;
        }
      } finally {
        isClosed = true;
      }
    }

    expect((await verify(source())).brokenAt).toMatchObject({ sequence: 3, reason: "unreadable" });
    expect([taken, isClosed]).toEqual([3, true]);
  });
});

describe("findings", () => {
  it("no truncation: the chain is broken below a checkpoint", async () => {
    expect(await verify(lines.with(2, "{}"))).toMatchObject({
      valid: false,
      entriesChecked: 2,
      brokenAt: { sequence: 3 },
      truncationDetected: false,
    });
  });

  it("head_mismatch: a checkpoint of the last entry states another hash", async () => {
    const last = checkpointsOf(lines, [LENGTH], signer, { head_hash: sha256("other") });

    expect(await verify(lines, last)).toMatchObject({
      valid: false,
      rejectedCheckpoint: { sequence: LENGTH, reason: "head_mismatch" },
    });
  });

  it("valid: a checkpoint is of the first entry", async () => {
    expect(await verify(lines, checkpointsOf(lines, [1], signer))).toMatchObject({
      valid: true,
      anchored: { sequence: 1, unanchoredEntries: LENGTH - 1 },
    });
  });

  it("valid: the trusted keys contain keys of other kinds", async () => {
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

    expect((await verify([changed(first, { [field]: value }), ...rest], [])).brokenAt).toEqual({
      sequence: 1,
      reason: "unreadable",
      expected: null,
      actual: null,
    });
  });
});

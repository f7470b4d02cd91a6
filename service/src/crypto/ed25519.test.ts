import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { Point } from "@noble/ed25519";
import { describe, expect, it } from "vitest";
import { ed25519Canonical, isSafePublicKey, verifyProofOfPossession } from "./ed25519.ts";

/**
 * The eight points of small order in canonical encoding ("Taming the many EdDSAs", IACR ePrint 2020/1244, table 6a).
 */
const SMALL_ORDER = [
  `01${"00".repeat(31)}`,
  `ec${"ff".repeat(30)}7f`,
  "00".repeat(32),
  `${"00".repeat(31)}80`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
];

/**
 * All non-canonical encodings: every y from p = 2^255 - 19 to 2^255 - 1 with both values of the sign bit, and y = 1 and
 * y = -1 (where x is 0) with the sign bit set.
 */
const NON_CANONICAL = [
  ...Array.from({ length: 19 }, (_, above) => (0xed + above).toString(16)).flatMap((lowest) => [
    `${lowest}${"ff".repeat(30)}7f`,
    `${lowest}${"ff".repeat(31)}`,
  ]),
  `01${"00".repeat(30)}80`,
  `ec${"ff".repeat(31)}`,
];

const base64url = (hex: string) => Buffer.from(hex, "hex").toString("base64url");

function newPair(): { readonly publicKey: string; readonly privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return { publicKey: publicKey.export({ format: "jwk" }).x ?? "", privateKey };
}

describe("isSafePublicKey", () => {
  it("accepted: ordinary public keys", () => {
    for (let round = 0; round < 50; round += 1) {
      expect(isSafePublicKey(newPair().publicKey)).toBe(true);
    }
  });

  it.each(SMALL_ORDER)("rejected: the point of small order %s", (hex) => {
    expect(Point.fromHex(hex).isSmallOrder()).toBe(true);

    expect(isSafePublicKey(base64url(hex))).toBe(false);
  });

  it("the list contains all eight points of small order", () => {
    const points = new Set(SMALL_ORDER.map((hex) => Point.fromHex(hex).toHex()));

    expect(points.size).toBe(8);
  });

  it.each(NON_CANONICAL)("rejected: the non-canonical form %s", (hex) => {
    expect(hex).toHaveLength(64);
    expect(isSafePublicKey(base64url(hex))).toBe(false);
  });

  it("rejected: not a point, not base64url, or not canonical base64url", () => {
    const { publicKey } = newPair();
    const spareBits = publicKey.slice(0, -1) + nextLetter(publicKey.at(-1) ?? "");

    expect(Buffer.from(spareBits, "base64url")).toEqual(Buffer.from(publicKey, "base64url"));
    for (const text of [
      base64url(`02${"00".repeat(31)}`),
      spareBits,
      `${publicKey}=`,
      ` ${publicKey}`,
      `${publicKey}\n`,
      publicKey.slice(1),
      `${publicKey}A`,
      `+${publicKey.slice(1)}`,
      "",
    ]) {
      expect([text, isSafePublicKey(text)]).toEqual([text, false]);
    }
  });
});

describe("verifyProofOfPossession", () => {
  const developerId = "dev_01";
  const { publicKey, privateKey } = newPair();
  const prove = (text: string, key = privateKey) => sign(null, Buffer.from(text), key).toString("base64url");
  const proof = prove(`svc-ed25519-pop-v1\n${developerId}\n${publicKey}`);

  it("accepted: the key's signature of the text", () => {
    expect(verifyProofOfPossession(publicKey, proof, { holderId: developerId })).toBe(true);
  });

  it("rejected: another developer, or another key", () => {
    expect(verifyProofOfPossession(publicKey, proof, { holderId: "dev_02" })).toBe(false);
    expect(verifyProofOfPossession(newPair().publicKey, proof, { holderId: developerId })).toBe(false);
  });

  it.each([
    ["signature by another key", prove(`svc-ed25519-pop-v1\n${developerId}\n${publicKey}`, newPair().privateKey)],
    ["signature of another text", prove(`svc-ed25519-v1\n${developerId}\n${publicKey}`)],
    ["signature of the key alone", prove(publicKey)],
    ["truncated text", proof.slice(1)],
    ["padded text", `${proof}==`],
    ["text after a space", ` ${proof}`],
    ["text after a line feed", `\n${proof}`],
    ["nothing", ""],
  ])("rejected: %s", (_name, other) => {
    expect(verifyProofOfPossession(publicKey, other, { holderId: developerId })).toBe(false);
  });

  it("rejected: any flipped bit, and the signature with the group order added", () => {
    const bytes = Buffer.from(proof, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(
        verifyProofOfPossession(publicKey, flipped.toString("base64url"), {
          holderId: developerId,
        }),
      ).toBe(false);
    }
    expect(verifyProofOfPossession(publicKey, withOrderAdded(bytes), { holderId: developerId })).toBe(false);
  });
});

describe("ed25519Canonical", () => {
  const parts = {
    timestamp: "1700000000",
    nonce: "n",
    method: "post",
    target: "/api/v1/svc/projects?page=2",
    agentId: undefined,
    idempotencyKey: undefined,
    bodyHash: "b",
  };

  it("lists the signed parts line by line, with a dash for an absent part", () => {
    expect(ed25519Canonical(parts)).toBe("svc-ed25519-v1\n1700000000\nn\nPOST\n/api/v1/svc/projects?page=2\n-\n-\nb");
    expect(ed25519Canonical({ ...parts, agentId: "a", idempotencyKey: "i" })).toBe(
      "svc-ed25519-v1\n1700000000\nn\nPOST\n/api/v1/svc/projects?page=2\na\ni\nb",
    );
  });
});

/**
 * Flips the lowest bit of a base64url character. In base64url, 32 bytes have 43 characters. The lowest bit of the last
 * character is not part of the bytes, so flipping it does not change them.
 */
function nextLetter(letter: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return letters[letters.indexOf(letter) ^ 1] ?? "";
}

function withOrderAdded(signature: Buffer): string {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString("hex")}`) + order;
  const grown = Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse();
  return Buffer.concat([signature.subarray(0, 32), grown]).toString("base64url");
}

import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { sha256Hex } from "../../../crypto/signing.ts";

describe("issueApiKey", () => {
  const harness = useHarness();

  /** Returns the key's row as JSON text, with the encrypted bytes both as hex and in escape format. */
  async function rowOf(keyId: string): Promise<string> {
    const client = new Client({ connectionString: harness.database.superuserUrl });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(
        "select to_jsonb(k) as row, encode(signing_key_sealed, 'escape') as bytes from api_keys k where key_id = $1",
        [keyId],
      );
      return JSON.stringify(rows);
    } finally {
      await client.end();
    }
  }

  it("never stores the signing key in plain text", async () => {
    const { keyId, apiKey, apiSecret, get } = await harness.seedTenant();
    const signingKey = sha256Hex(apiSecret);
    const asHex = (text: string) => Buffer.from(text).toString("hex");

    const row = await rowOf(keyId);

    expect((await get("/developers/me")).status).toBe(200);
    expect(row).toContain(keyId);
    for (const secret of [apiKey, apiSecret, signingKey]) {
      expect(row).not.toContain(secret);
      expect(row).not.toContain(asHex(secret));
    }
  });
});

import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as Hex from "ox/Hex";
import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

interface Key {
  readonly description: string;
  readonly publicKey: Buffer;
  readonly privateKey: Hex.Hex;
  state: "Enabled" | "Disabled" | "PendingDeletion";
}

/** Answers a call of KMS, or undefined to answer as KMS does. */
type Intercept = (action: string) => { readonly status: number; readonly body: object } | "silence" | undefined;

class KmsError extends Error {}

/**
 * Starts a server that speaks the part of AWS KMS's protocol that signs with keys of secp256k1
 * (https://docs.aws.amazon.com/kms/latest/APIReference). It signs digests as they are given, and returns half of its signatures with
 * the greater `s`, as KMS does.
 */
export async function startKmsServer() {
  const keys = new Map<string, Key>();
  let intercept: Intercept = () => undefined;
  let signatures = 0;

  const keyOf = (id: string): Key => {
    const key = keys.get(id);
    if (key === undefined) throw new KmsError("NotFoundException");
    return key;
  };
  const usableKeyOf = (id: string): Key => {
    const key = keyOf(id);
    if (key.state === "Disabled") throw new KmsError("DisabledException");
    if (key.state === "PendingDeletion") throw new KmsError("KMSInvalidStateException");
    return key;
  };

  const actions: Readonly<Record<string, (input: Record<string, string>) => object>> = {
    CreateKey: ({ KeySpec, KeyUsage, Description: description = "" }) => {
      if (KeySpec !== "ECC_SECG_P256K1" || KeyUsage !== "SIGN_VERIFY") throw new KmsError("ValidationException");
      const pair = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
      const { d = "" } = pair.privateKey.export({ format: "jwk" });
      const privateKey = Hex.fromBytes(Buffer.from(d, "base64url"));
      const arn = `arn:aws:kms:us-east-1:123456789012:key/${randomUUID()}`;
      const publicKey = pair.publicKey.export({ format: "der", type: "spki" });
      keys.set(arn, { description, publicKey, privateKey, state: "Enabled" });
      return { KeyMetadata: { KeyId: arn.split("/")[1], Arn: arn, KeySpec, KeyUsage } };
    },
    GetPublicKey: ({ KeyId = "" }) => ({ KeyId, PublicKey: usableKeyOf(KeyId).publicKey.toString("base64") }),
    Sign: ({ KeyId = "", Message = "", MessageType, SigningAlgorithm }) => {
      const { privateKey } = usableKeyOf(KeyId);
      const message = Buffer.from(Message, "base64");
      const isDigest = MessageType === "DIGEST" && SigningAlgorithm === "ECDSA_SHA_256" && message.length === 32;
      if (!isDigest) throw new KmsError("ValidationException");
      const { r, s } = Secp256k1.sign({ payload: Hex.fromBytes(message), privateKey });
      signatures += 1;
      const signature = Signature.toDerBytes({ r, s: signatures % 2 === 0 ? s : ORDER - s } as Signature.Signature);
      return { KeyId, Signature: Buffer.from(signature).toString("base64"), SigningAlgorithm };
    },
    ScheduleKeyDeletion: ({ KeyId = "" }) => {
      const key = keyOf(KeyId);
      key.state = "PendingDeletion";
      return { KeyId, KeyState: key.state };
    },
  };

  const answer = (action: string, body: string) => {
    try {
      const run = actions[action];
      if (run === undefined) throw new KmsError("UnknownOperationException");
      return { status: 200, body: run(JSON.parse(body)) };
    } catch (error) {
      if (!(error instanceof KmsError)) throw error;
      return { status: 400, body: { __type: error.message, message: error.message } };
    }
  };

  const server = createServer(async (request, response) => {
    const action = `${request.headers["x-amz-target"]}`.replace(/^TrentService\./, "");
    const body = await text(request);
    const answered = intercept(action) ?? answer(action, body);
    if (answered === "silence") return;
    response.writeHead(answered.status, { "content-type": "application/x-amz-json-1.1" });
    response.end(JSON.stringify(answered.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    keys: keys as ReadonlyMap<string, Key>,
    /** For the AWS SDK. */
    client: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...{ region: "us-east-1", credentials: { accessKeyId: "test", secretAccessKey: "test" } },
    },
    intercept: (wanted: Intercept) => {
      intercept = wanted;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { sha256Hex } from "@purser/service/crypto/signing.ts";
import pg from "pg";
import { serveParent } from "../server-process.ts";
import type { KeyPair } from "../signer.ts";
import { addService, createNeon, type NeonAccess } from "./baseline-sagas/add-service.ts";
import { type AcmeDbAccess, createAcmeDb, rotateService } from "./baseline-sagas/rotate-service.ts";
import { listenOnLoopback, readBody, sendJson } from "./listen.ts";
import { createVerifier } from "./verifier.ts";

export interface BaselineSagaInput extends KeyPair, NeonAccess, AcmeDbAccess {
  readonly tenantId: string;
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  readonly sealingKeyHex: string;
}

/**
 * Baseline for adding a service and for rotating its credentials: a `node:http` and `pg` server that verifies the
 * signature like Purser, makes the same vendor calls, writes the same rows and sends the same response. Each step of an
 * operation has its own transaction. The baseline cannot recover from a failure. The additional time that Purser needs is
 * the cost of its layers, checkpoints and crash recovery.
 */
serveParent((input: BaselineSagaInput) => {
  const pool = new pg.Pool({ connectionString: input.databaseUrl, max: input.connectionsMax });
  const context = {
    ...{ tenantId: input.tenantId, pool },
    sealingKey: Buffer.from(input.sealingKeyHex, "hex"),
    ...{ neon: createNeon(input), acmeDb: createAcmeDb(input) },
  };
  const verify = createVerifier([input]);
  return listenOnLoopback(async (request, response) => {
    const body = await readBody(request);
    if (verify(request, sha256Hex(body)) === undefined) return sendJson(response, 401, {});
    const isRotation = request.url?.endsWith("/rotate") ?? false;
    if (isRotation) return sendJson(response, 200, await rotateService(context, request));
    sendJson(response, 202, await addService(context, request, JSON.parse(body)));
  });
});

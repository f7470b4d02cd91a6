import { randomUUID } from "node:crypto";
import { createPasswordHasher } from "@purser/service/crypto/passwords.ts";
import { totpCode } from "@purser/service/crypto/totp.ts";
import { createAdmin } from "@purser/service/modules/admins/admins.ts";
import { seedDeveloper, seedKeyPair, seedSession } from "../../../../service/test/seeds.ts";
import { signedCaller, unauthenticatedCaller } from "../../conformance/callers.ts";
import { text } from "../../conformance/context.ts";
import { type ApiResponse, type KeyPair, PREFIX, sendOnce, signedHeaders } from "../../signed-client.ts";
import type { Replicas } from "../replicas.ts";
import type { AttackedOperation } from "./operations.ts";

/** A caller with its own account and client address. It therefore shares no rate limits with other callers. */
export interface Attacker {
  readonly pair: KeyPair;
  readonly projectId: string;
  /** Calls the operation with this body and query string. */
  send(operation: AttackedOperation, input: { readonly body: string; readonly query: string }): Promise<ApiResponse>;
}

/**
 * Returns a function that creates an attacker with a session, keys and a project, so that its requests pass most
 * checks.
 */
export async function createAttackers({
  urls: [url],
  seeds,
}: Pick<Replicas, "urls" | "seeds">): Promise<() => Promise<Attacker>> {
  const adminToken = await logInAdmin({ urls: [url, url], seeds });
  let count = 0;

  return async () => {
    count += 1;
    const address = `10.${Math.floor(count / 250)}.${count % 250}.1`;
    const tenantId = await seedDeveloper(seeds);
    const pair = await seedKeyPair(seeds, tenantId);
    const { keyId } = await seedKeyPair(seeds, tenantId, { mode: "test" });
    const { accessToken } = await seedSession(seeds, tenantId);
    const created = await signedCaller(url, pair)({ method: "POST", path: "/projects", body: { name: "Attack" } });
    const projectId = text(created, "project_id");
    const values: Readonly<Record<string, string>> = {
      project_id: projectId,
      key_id: keyId,
      provider: "helius",
      name: "VALUE",
      developer_id: tenantId,
    };

    const send: Attacker["send"] = ({ method, path, credential }, { body, query }) => {
      const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? `${name}_x`);
      const target = query === "" ? filledPath : `${filledPath}?${query}`;
      // `fetch` throws if a GET has a body.
      const sent = method === "GET" ? "" : body;
      const credentials = {
        public: () => ({}),
        dashboard: () => ({ authorization: `Bearer ${accessToken}` }),
        admin: () => ({ authorization: `Bearer ${adminToken}` }),
        signed: () => signedHeaders(pair, { method, path: target, text: sent }),
      }[credential]();
      const headers = {
        "content-type": "application/json",
        "x-forwarded-for": address,
        ...credentials,
      };
      return sendOnce(url + PREFIX + target, {
        method,
        headers,
        redirect: "manual",
        ...(sent !== "" && { body: sent }),
      });
    };
    return { pair, projectId, send };
  };
}

async function logInAdmin({ urls: [url], seeds }: Pick<Replicas, "urls" | "seeds">): Promise<string> {
  const passwords = createPasswordHasher({ concurrencyMax: 1 });
  const email = `bystander-${randomUUID()}@purser.test`;
  const admin = await createAdmin({ ...seeds, passwords }, { email, password: undefined });
  const post = (path: string, body: object) => unauthenticatedCaller(url)({ method: "POST", path, body });
  const first = await post("/admin/login", { email, password: admin.password });
  const second = await post("/admin/login/totp", {
    mfa_token: text(first, "mfa_token"),
    code: totpCode(admin.totpSecret, new Date()),
  });
  return text(second, "access_token");
}

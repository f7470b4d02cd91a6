import { createHmac, randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { serveParent } from "../server-process.ts";

export interface BareLoopInput {
  readonly url: string;
  readonly body: string;
  readonly deliveries: number;
  readonly connections: number;
}

/** Baseline for deliveries: signs a body anew for each request and posts it, and waits for the answer. */
serveParent(async ({ url, body, deliveries, connections }: BareLoopInput) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const secret = randomBytes(24);
  let sent = 0;
  const deliver = async () => {
    while (sent < deliveries) {
      sent += 1;
      const id = `evt_${sent}`;
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
      const headers = {
        ...{ "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` },
        ...{ "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      };
      await post(agent, url, headers, body);
    }
  };
  await Promise.all(Array.from({ length: connections }, deliver));
  return {};
});

function post(agent: Agent, url: string, headers: Record<string, string | number>, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, method: "POST", headers }, (response) => {
      response.resume().once("end", resolve).once("error", reject);
    })
      .once("error", reject)
      .end(body);
  });
}

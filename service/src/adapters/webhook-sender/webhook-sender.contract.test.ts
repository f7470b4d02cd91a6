import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpWebhookSender } from "./http-webhook-sender.ts";
import { createHostResolver } from "./resolve-host.ts";

describe("the HTTP client of webhooks", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const send = (url: string, options: { readonly allowsLoopback?: boolean; readonly timeoutMs?: number } = {}) =>
    createHttpWebhookSender({ allowsLoopback: true, timeoutMs: 1_000, ...options }).send({
      url,
      headers: { "webhook-id": "evt_1" },
      body: '{"a":1}',
    });

  it("posts the body with its headers, and returns the answer", async () => {
    const url = await serve(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const { "content-type": type, "webhook-id": id } = request.headers;
      response.end(JSON.stringify([request.method, request.url, type, id, text]));
    });

    expect(await send(`${url}/hook?a=b`)).toEqual({
      status: 200,
      body: '["POST","/hook?a=b","application/json","evt_1","{\\"a\\":1}"]',
      error: null,
      durationMs: expect.any(Number),
    });
  });

  it("follows no redirect", async () => {
    let isReached = false;
    const target = await serve((_request, response) => {
      isReached = true;
      response.end();
    });
    const url = await serve((_request, response) => void response.writeHead(307, { location: target }).end());

    expect([(await send(url)).status, isReached]).toEqual([307, false]);
  });

  it.each<[string, RequestListener]>([
    ["never answers", () => {}],
    [
      "answers without an end",
      (_request, response) => {
        response.write("a");
        const timer = setInterval(() => response.write("a"), 20);
        response.once("close", () => clearInterval(timer));
      },
    ],
  ])("gives up a server that %s", async (_what, answer) => {
    const { status, error } = await send(await serve(answer), { timeoutMs: 150 });
    expect([status, error]).toEqual([null, "timeout"]);
  });

  it("gives up a server that switches protocols", async () => {
    const url = await serve(() => {});
    servers[0]?.on("connection", (socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
    });
    expect(await send(url)).toMatchObject({ status: null, error: "the connection ended before the answer" });
  });

  it("reads 64 KiB of 200 MB, and closes the connection", async () => {
    let sent = 0;
    const url = await serve((_request, response) => {
      const chunk = Buffer.alloc(1_048_576, "a");
      const write = () => {
        while (sent < 200 && !response.destroyed) {
          sent += 1;
          if (!response.write(chunk)) return void response.once("drain", write);
        }
        response.end();
      };
      write();
    });

    const { status, body } = await send(url, { timeoutMs: 5_000 });

    expect([status, body.length]).toEqual([200, 65_536]);
    expect(sent).toBeLessThan(50);
  });

  it("names the error of a server that is down, without its address", async () => {
    const url = await serve(() => {});
    servers[0]?.close();
    expect(await send(url)).toMatchObject({ status: null, error: "ECONNREFUSED" });
  });

  describe("addresses", () => {
    const resolved = { addresses: new Map<string, string[]>(), calls: 0 };
    const sender = createHttpWebhookSender({ allowsLoopback: false, resolve: (host) => lookUp(host) });
    const lookUp = async (host: string) => {
      resolved.calls += 1;
      return (resolved.addresses.get(host) ?? []).map((address) => ({
        address,
        family: address.includes(":") ? 6 : 4,
      }));
    };

    it.each([
      "http://example.com/",
      "https://127.0.0.1/",
      "https://2130706433/",
      "https://0x7f.1/",
      "https://[::1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[::7f00:1]/",
      "https://[fe80::1]/",
      "https://192.168.1.1/",
      "https://198.18.0.1/",
      "https://224.0.0.1/",
      "https://255.255.255.255/",
      "https://[2002:7f00:1::]/",
      "https://[64:ff9b:1::1]/",
    ])("sends nothing to %s", async (url) => {
      const answer = await sender.send({ url, headers: {}, body: "{}" });
      expect([answer.status, answer.error]).toEqual([null, expect.stringContaining("the URL")]);
      expect(await sender.refusalOf(url)).not.toBeNull();
    });

    it("refuses a name of which one address is private", async () => {
      resolved.addresses.set("mixed.example", ["93.184.216.34", "10.0.0.1"]);
      expect(await sender.refusalOf("https://mixed.example/")).toContain("not public");
      const { error } = await sender.send({ url: "https://mixed.example/", headers: {}, body: "{}" });
      expect(error).toContain("not public");
    });

    it("connects to the address that it has checked: a name that then resolves to another one (DNS rebinding) is not reached", async () => {
      let isReached = false;
      const url = new URL(
        await serve((_request, response) => {
          isReached = true;
          response.end();
        }),
      );
      resolved.addresses.set("rebinding.example", ["93.184.216.34"]);
      expect(await sender.refusalOf("https://rebinding.example/")).toBeNull();
      resolved.addresses.set("rebinding.example", ["127.0.0.1"]);
      const before = resolved.calls;

      const { error } = await sender.send({ url: `https://rebinding.example:${url.port}/`, headers: {}, body: "{}" });

      expect([error, isReached, resolved.calls - before]).toEqual([expect.stringContaining("not public"), false, 1]);
    });

    it("accepts a name that does not resolve yet", async () => {
      expect(await sender.refusalOf("https://later.example/")).toBeNull();
    });
  });

  it("is not held up by name servers that never answer, and neither is the rest of the process", async () => {
    const silent = createSocket("udp4").bind(0, "127.0.0.1");
    await once(silent, "listening");
    const resolve = createHostResolver([`127.0.0.1:${silent.address().port}`]);
    const sender = createHttpWebhookSender({ allowsLoopback: false, resolve, timeoutMs: 1_000 });
    const url = "https://silent.example/";
    const sending = Promise.all(Array.from({ length: 20 }, () => sender.send({ url, headers: {}, body: "{}" })));

    // Node looks a name up in one of its four threads.
    const isFree = await Promise.race([lookup("localhost").then(() => true), sending.then(() => false)]);

    expect(isFree).toBe(true);
    for (const answer of await sending) expect(answer).toMatchObject({ status: null, error: "timeout" });
    expect(await sender.refusalOf(url)).toBeNull();
    silent.close();
  });

  it("connects to localhost, if loopback is allowed", async () => {
    const url = (await serve((_request, response) => response.end("here"))).replace("127.0.0.1", "localhost");
    expect(await send(url)).toMatchObject({ status: 200, body: "here" });
    expect(await send(url, { allowsLoopback: false })).toMatchObject({ status: null });
  });
});

import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { reservePort } from "./reserve-port.ts";

const MESSAGE = /^Port \d+ is taken by another program, and Purser's API needs it\./;

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

describe("reservePort", () => {
  it("EADDRINUSE: another program cannot take the port until it is handed over", async () => {
    const { port, handOver } = await reservePort(0);
    await expect(listenOn(port)).rejects.toThrow("EADDRINUSE");

    const server = await handOver(() => listenOn(port));

    expect(server.address()).toMatchObject({ port });
    await expect(reservePort(port)).rejects.toThrow(MESSAGE);
  });

  it("StartError: another program takes the port during the hand-over", async () => {
    const { port, handOver } = await reservePort(0);

    const handedOver = handOver(async () => {
      await listenOn(port);
      return listenOn(port);
    });

    await expect(handedOver).rejects.toMatchObject({
      name: "StartError",
      message: expect.stringMatching(MESSAGE),
    });
  });
});

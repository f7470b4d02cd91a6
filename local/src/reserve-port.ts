import { once } from "node:events";
import { createServer } from "node:net";
import { StartError } from "./start-error.ts";

export interface ReservedPort {
  readonly port: number;
  /** Releases the port and calls `listen`. Throws StartError if another program takes the port first. */
  handOver<Result>(listen: () => Promise<Result>): Promise<Result>;
  release(): Promise<void>;
}

/**
 * Reserves a loopback port by listening on it. Other programs then cannot take the port while the components that need
 * the service's URL start. If `wanted` is 0, any free port is used. Throws StartError if the port cannot be used.
 */
export async function reservePort(wanted: number): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy());
  server.listen(wanted, "127.0.0.1");
  await once(server, "listening").catch((error: unknown) => {
    throw toStartError(error, wanted);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server is not listening on a TCP port.");
  const { port } = address;

  async function release(): Promise<void> {
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  }

  return {
    port,
    release,
    async handOver(listen) {
      await release();
      return listen().catch((error: unknown) => {
        throw toStartError(error, port);
      });
    },
  };
}

const MESSAGES: ReadonlyMap<unknown, (port: number) => string> = new Map([
  [
    "EADDRINUSE",
    (port) =>
      `Port ${port} is taken by another program, and Purser's API needs it. Stop that program, or choose another port with --port (0 picks a free one).`,
  ],
  [
    "EACCES",
    (port) =>
      `Purser's API cannot listen on port ${port} as this user. Choose one above 1023 with --port (0 picks a free one).`,
  ],
]);

function toStartError(error: unknown, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const message = MESSAGES.get(code);
  return message === undefined ? error : new StartError(message(port), { cause: error });
}

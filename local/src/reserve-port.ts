import { once } from "node:events";
import { createServer } from "node:net";
import { StartError } from "./start-error.ts";

export interface ReservedPort {
  readonly port: number;
  /** Frees the port, and runs what listens on it next. Throws StartError if another program takes it first. */
  handOver<Result>(listen: () => Promise<Result>): Promise<Result>;
  release(): Promise<void>;
}

/**
 * Listens on a port of loopback at once, so that no other program takes it while everything that has to know the service's
 * address starts. 0: any free port. Throws StartError if the port cannot be used.
 */
export async function reservePort(wanted: number): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy());
  server.listen(wanted, "127.0.0.1");
  await once(server, "listening").catch((error: unknown) => {
    throw explained(error, wanted);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
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
        throw explained(error, port);
      });
    },
  };
}

const SENTENCES: ReadonlyMap<unknown, (port: number) => string> = new Map([
  [
    "EADDRINUSE",
    (port) =>
      `Port ${port} is taken by another program. Purser's API was to listen there. Stop that program, or choose another port with --port (0 picks a free one).`,
  ],
  [
    "EACCES",
    (port) =>
      `Purser's API may not listen on port ${port} as this user. Choose one above 1023 with --port (0 picks a free one).`,
  ],
]);

function explained(error: unknown, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const sentence = SENTENCES.get(code);
  return sentence === undefined ? error : new StartError(sentence(port), { cause: error });
}

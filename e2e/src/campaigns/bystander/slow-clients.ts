import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type KeyPair, PREFIX, signedHeaders } from "../../signed-client.ts";

const WRITE_INTERVAL_MS = 200;
const CLOSE_TIMEOUT_MS = 500;

export interface SlowClients {
  /**
   * Returns the number of connections that the server has closed. Reads pending data first, because a socket closes
   * only after its data has been read.
   */
  closed(): Promise<number>;
  end(): void;
}

/** Sends `count` requests for a large response and does not read it. */
export function startSlowReaders(
  url: string,
  { pair, path, count }: { readonly pair: KeyPair; readonly path: string; readonly count: number },
): SlowClients {
  return slowClients(
    Array.from({ length: count }, () => {
      const socket = openSocket(url);
      socket.pause();
      socket.write(head(url, "GET", path, signedHeaders(pair, { method: "GET", path })));
      return socket;
    }),
  );
}

/** Starts `count` requests with large bodies and sends each body one byte at a time. */
export function startSlowWriters(
  url: string,
  { path, bytes, count }: { readonly path: string; readonly bytes: number; readonly count: number },
): SlowClients {
  return slowClients(
    Array.from({ length: count }, () => {
      const socket = openSocket(url);
      const headers = { "content-type": "application/json", "content-length": String(bytes) };
      socket.write(head(url, "POST", path, headers));
      socket.resume();
      void trickle(socket);
      return socket;
    }),
  );
}

async function trickle(socket: Socket): Promise<void> {
  while (socket.writable) {
    socket.write(" ");
    await wait(WRITE_INTERVAL_MS);
  }
}

function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // Errors are ignored, because the server is expected to close the connection.
  socket.on("error", () => {});
  return socket;
}

function head(url: string, method: string, path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${PREFIX}${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${lines.join("")}\r\n`;
}

function slowClients(sockets: readonly Socket[]): SlowClients {
  return {
    closed: async () => {
      for (const socket of sockets) socket.resume();
      await wait(CLOSE_TIMEOUT_MS);
      return sockets.filter(({ destroyed }) => destroyed).length;
    },
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

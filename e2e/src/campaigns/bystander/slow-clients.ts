import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type KeyPair, PREFIX, signedHeaders } from "../../signed-client.ts";

const WRITTEN_EVERY_MS = 200;
const END_SEEN_WITHIN_MS = 500;

export interface SlowClients {
  /** How many of them the service has closed. Reads what has arrived, since an end is seen only behind it. */
  closed(): Promise<number>;
  end(): void;
}

/** Asks `count` times for something large and reads nothing of the answers. */
export function startSlowReaders(
  url: string,
  { pair, path, count }: { readonly pair: KeyPair; readonly path: string; readonly count: number },
): SlowClients {
  return keepSockets(
    Array.from({ length: count }, () => {
      const socket = openSocket(url);
      socket.pause();
      socket.write(head(url, "GET", path, signedHeaders(pair, { method: "GET", path })));
      return socket;
    }),
  );
}

/** Announces `count` large bodies and sends a byte of each now and then. */
export function startSlowWriters(
  url: string,
  { path, bytes, count }: { readonly path: string; readonly bytes: number; readonly count: number },
): SlowClients {
  return keepSockets(
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
    await wait(WRITTEN_EVERY_MS);
  }
}

function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The service may close it at any time, which is what it should do.
  socket.on("error", () => {});
  return socket;
}

function head(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${PREFIX}${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${lines.join("")}\r\n`;
}

function keepSockets(sockets: readonly Socket[]): SlowClients {
  return {
    closed: async () => {
      for (const socket of sockets) socket.resume();
      await wait(END_SEEN_WITHIN_MS);
      return sockets.filter(({ destroyed }) => destroyed).length;
    },
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

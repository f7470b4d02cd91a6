import { createServer } from "node:net";

/**
 * A port of loopback that nobody listens on. The service has to know its own address before it listens, since mails and
 * pages name it.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return address.port;
}

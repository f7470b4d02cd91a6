import { createServer } from "node:net";
import { StartError } from "./start-error.ts";

/**
 * The wanted port of loopback, or for 0 one that nobody listens on. The service has to know its own address before it
 * listens, since mails and pages name it. Throws StartError where the port cannot be had.
 */
export async function findPort(wanted: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, wanted)));
    server.listen(wanted, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return address.port;
}

function explain(error: NodeJS.ErrnoException, port: number): Error {
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is taken by another program. Stop that program, or choose another port with --port (0 picks a free one).`,
    EACCES: `Port ${port} is not for this user to listen on. Choose one above 1023 with --port (0 picks a free one).`,
  };
  const sentence = sentences[error.code ?? ""];
  return sentence === undefined ? error : new StartError(sentence, { cause: error });
}

import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/**
 * Starts a minimal SMTP server that accepts every email. `answers` maps SMTP commands to different replies. The server
 * stops when the test ends.
 */
export async function startSmtpServer(answers: Readonly<Record<string, string>> = {}) {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.write("220 test\r\n");
    let inData = false;
    createInterface(socket).on("line", (line) => {
      received.push(line);
      if (inData && line !== ".") return;
      inData = line === "DATA";
      socket.write(`${answerTo(line, answers)}\r\n`);
    });
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return { received, url: `smtp://127.0.0.1:${address.port}` };
}

/** @param answers the replies, by SMTP command */
function answerTo(line: string, answers: Readonly<Record<string, string>>): string {
  const command = Object.keys(answers).find((name) => line.startsWith(name)) ?? "";
  return answers[command] ?? (line === "DATA" ? "354 go on" : "250 ok");
}

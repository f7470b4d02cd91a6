import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Server } from "../../../route.ts";

/** Script that solves the form's captcha challenge, then enables the submit button. */
const SOLVE = `import { deriveKey } from "./algorithms/web/pbkdf2.js";
import { solveChallenge } from "./pow.js";

const form = document.querySelector("form[data-challenge]");
const button = form.querySelector("button");
button.disabled = true;
const challenge = JSON.parse(form.dataset.challenge);
const solution = await solveChallenge({ challenge, deriveKey });
form.elements.captcha_token.value = btoa(JSON.stringify({ challenge, solution }));
button.disabled = false;
`;

/** The modules of the ALTCHA library that the script imports. */
const LIBRARY = ["pow.js", "helpers.js", "types.js", "algorithms/web/pbkdf2.js"];

/** Serves the scripts that solve the login form's captcha, which is required after too many failed attempts. */
export function captchaScriptRoutes(server: Server): void {
  serve(server, "solve.js", async () => SOLVE);
  const entry = createRequire(import.meta.url).resolve("altcha-lib");
  const folder = join(dirname(entry), "../../esm/v2");
  for (const file of LIBRARY) serve(server, file, () => readFile(join(folder, file), "utf8"));
}

function serve(server: Server, file: string, read: () => Promise<string>): void {
  server.route({
    method: ["GET", "HEAD"],
    url: `/login/captcha/${file}`,
    config: { auth: "public", page: true },
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply.header("content-type", "text/javascript; charset=utf-8").send(await read()),
  });
}

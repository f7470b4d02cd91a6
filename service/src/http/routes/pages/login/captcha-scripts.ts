import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Route } from "../../../route.ts";
import { asset } from "../page.ts";

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
export const captchaScriptRoutes: readonly Route[] = [
  scriptRoute("solve.js", async () => SOLVE),
  ...LIBRARY.map((file) => scriptRoute(file, () => readFile(join(libraryFolder(), file), "utf8"))),
];

function scriptRoute(file: string, read: () => Promise<string>): Route {
  return asset(`/login/captcha/${file}`, async ({ reply }) =>
    reply.header("content-type", "text/javascript; charset=utf-8").send(await read()),
  );
}

function libraryFolder(): string {
  const entry = createRequire(import.meta.url).resolve("altcha-lib");
  return join(dirname(entry), "../../esm/v2");
}

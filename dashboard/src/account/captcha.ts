import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import { api } from "../api/client.ts";
import { findWidget, loadScript } from "../ui/widgets.ts";

/** What `GET /developers/captcha` returns with Turnstile. */
interface TurnstileSettings {
  readonly site_key: string;
  readonly action: string;
}

declare global {
  interface Window {
    /** https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/. */
    turnstile?: {
      render(node: HTMLElement, options: Readonly<Record<string, unknown>>): string;
      remove(widgetId: string): void;
    };
  }
}

/** Gets a captcha challenge and solves it, which takes about a second. Returns the value of `captcha_token`. */
export async function solveCaptcha(): Promise<string> {
  const { data } = await api.GET("/developers/captcha");
  const captcha = data as unknown as Challenge | TurnstileSettings;
  if ("site_key" in captcha) return askTurnstile(captcha);
  const solution = await solveChallenge({ challenge: captcha, deriveKey });
  return btoa(JSON.stringify({ challenge: captcha, solution }));
}

/** Shows Turnstile at the bottom of the window, where it asks the user only if it must. */
async function askTurnstile({ site_key, action }: TurnstileSettings): Promise<string> {
  await loadScript(findWidget("turnstile")?.script ?? "");
  const { turnstile } = window;
  if (turnstile === undefined) throw new Error("Turnstile is not available. Load this page again.");
  const node = document.createElement("div");
  // Above every dialog: a session that has ended asks for the login in one.
  const layer = { position: "fixed", zIndex: "var(--mantine-z-index-max)" };
  Object.assign(node.style, { ...layer, bottom: "1rem", left: "50%", transform: "translateX(-50%)" });
  document.body.append(node);
  let widgetId = "";
  return new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error("Turnstile could not check this browser. Try again."));
    const failures = { "error-callback": fail, "timeout-callback": fail, "unsupported-callback": fail };
    const look = { appearance: "interaction-only", theme: document.documentElement.dataset["mantineColorScheme"] };
    widgetId = turnstile.render(node, { sitekey: site_key, action, callback: resolve, ...failures, ...look });
  }).finally(() => {
    turnstile.remove(widgetId);
    node.remove();
  });
}

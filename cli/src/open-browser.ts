import { spawn } from "node:child_process";
import type { Environment } from "./terminal.ts";

/** Opens a URL if there is a browser. The URL is printed too, so a failure is no problem. */
export function openBrowser(url: string, environment: Environment): void {
  // The URL comes from the server. Other protocols could start a program.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return;
  const isHeadless = process.platform === "linux" && !environment["DISPLAY"] && !environment["WAYLAND_DISPLAY"];
  if (isHeadless || environment["CI"]) return;
  const [program, ...args] =
    process.platform === "win32"
      ? ["rundll32", "url.dll,FileProtocolHandler", url]
      : [process.platform === "darwin" ? "open" : "xdg-open", url];
  const child = spawn(program ?? "", args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

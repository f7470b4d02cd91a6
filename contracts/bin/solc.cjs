#!/usr/bin/env node
/**
 * Lets forge use the Solidity compiler from npm, because no native compiler is on npm. Forge starts this file like a
 * native `solc`: with `--version`, or with standard JSON on stdin. The file uses only the syntax of Node 18.
 */
"use strict";
const { readFileSync, writeSync } = require("node:fs");

/** Writes everything, although a pipe accepts only a part at a time. */
function write(text) {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

/** Forge sends every source in the input. This answers imports that it could not resolve, with the compiler's error. */
function readImport(path) {
  try {
    return { contents: readFileSync(path, "utf8") };
  } catch (error) {
    return { error: error.message };
  }
}

if (process.argv.includes("--version")) {
  // Forge asks often. The version in package.json is the compiler's, and reading it does not load the compiler.
  write(`Version: ${require("solc/package.json").version}\n`);
} else {
  write(require("solc").compile(readFileSync(0, "utf8"), { import: readImport }));
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { checkDocuments } from "./documents.ts";

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
});

/** A small repository with these documents in it. */
function arrange(documents: Readonly<Record<string, string>>): string {
  const tree = mkdtempSync(path.join(tmpdir(), "purser-docs-"));
  trees.push(tree);
  const files = {
    ".gitignore": "node_modules/\n.purser/\n",
    "package.json": '{ "scripts": { "test": "vitest", "check:docs": "node" } }',
    ".ci/run": "",
    "service/src/modules/wallets/queries.ts": "",
    ...documents,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
    writeFileSync(path.join(tree, file), text);
  }
  return tree;
}

const problemsOf = (text: string) => checkDocuments(arrange({ "README.md": text })).problems;

describe("docs", () => {
  test.each([
    "service/src/modules/wallets/queries.ts",
    "service/src/modules/wallets/queries.ts:12",
    "./service/src",
    "service/src/",
    "modules/wallets/",
    "queries.ts",
    ".ci/run",
    ".purser/data",
  ])("a path that is there is accepted: %s", (span) => {
    expect(problemsOf(`See \`${span}\`.`)).toEqual([]);
  });

  test.each([
    "service/src/modules/wallets/freeze-wallet.ts",
    "service/source/",
    "wallets/src/",
    "allets/queries.ts",
    "freeze-wallet.ts",
    "../outside.md",
    ".env.example",
  ])("a path that is not there is refused with its place: %s", (span) => {
    expect(problemsOf(`First line.\n\nSee \`${span}\`.`)).toEqual([
      `README.md:3 \`${span}\` is not in the tree`,
    ]);
  });

  test.each([
    "/api/v1/wallets",
    "https://example.com/a.json",
    "~/.config/file.json",
    "$HOME/file.json",
    "routes/{noun}/index.ts",
    "docs/decisions/*.md",
    "src/…/queries.ts",
    "<name>.test.ts",
    "@purser/sdk",
    "application/json",
    "127.0.0.0/8",
    "--outputFile=report.json",
    "cp a/b.ts c/d.ts",
  ])("what is no path of ours is left alone: %s", (span) => {
    expect(problemsOf(`See \`${span}\`.`)).toEqual([]);
  });

  test("a path inside a fenced block is left alone, and one after the block is not", () => {
    expect(problemsOf("```\n`gone/a.ts`\n```\n`gone/b.ts`")).toEqual([
      "README.md:4 `gone/b.ts` is not in the tree",
    ]);
  });

  test("a link that leads nowhere is refused, from the document's own folder", () => {
    const text = "[up](../README.md) [part](#part) [out](https://example.com) [gone](README.md)";

    const { problems } = checkDocuments(arrange({ "README.md": "", "docs/guide.md": text }));

    expect(problems).toEqual(["docs/guide.md:1 (README.md) leads nowhere"]);
  });

  test("an npm script that does not exist is refused, in a fenced block too", () => {
    expect(
      problemsOf("`npm run check:docs` and `npm test`\n```\nnpm run -s deploy\nnpm start\n```"),
    ).toEqual([
      'README.md:3 there is no npm script "deploy"',
      'README.md:4 there is no npm script "start"',
    ]);
  });

  test("an AGENTS.md of 151 lines is refused, one of 150 is not", () => {
    const linesOf = (count: number) =>
      checkDocuments(arrange({ "AGENTS.md": "line\n".repeat(count) })).problems;

    expect(linesOf(150)).toEqual([]);
    expect(linesOf(151)).toEqual(["AGENTS.md:151 is longer than 150 lines"]);
  });

  test("every document is read: at the root, under docs/, and the README of each workspace", () => {
    const text = "`gone/file.ts`";
    const documents = {
      "SECURITY.md": text,
      "docs/decisions/0001-first.md": text,
      "sdk/typescript/README.md": text,
      "vectors/README.md": text,
    };

    const checked = checkDocuments(
      arrange({ ...documents, "node_modules/other/README.md": text, "service/src/notes.md": text }),
    );

    expect(checked.documents).toEqual(Object.keys(documents).sort());
    expect(checked.problems).toHaveLength(4);
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { checkDocuments } from "./documents.ts";

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
});

/** Creates a small repository that contains these documents. */
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
  ])("accepts an existing path: %s", (span) => {
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
  ])("reports a missing path with its line number: %s", (span) => {
    expect(problemsOf(`First line.\n\nSee \`${span}\`.`)).toEqual([`README.md:3 \`${span}\` is not in the tree`]);
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
  ])("ignores a code span that is not a path in this repository: %s", (span) => {
    expect(problemsOf(`See \`${span}\`.`)).toEqual([]);
  });

  test("ignores a path inside a fenced block, and reports one after the block", () => {
    expect(problemsOf("```\n`gone/a.ts`\n```\n`gone/b.ts`")).toEqual(["README.md:4 `gone/b.ts` is not in the tree"]);
  });

  test("reports a broken link, resolved from the document's folder", () => {
    const text = "[up](../README.md) [part](#part) [out](https://example.com) [gone](README.md)";

    const { problems } = checkDocuments(arrange({ "README.md": "", "docs/guide.md": text }));

    expect(problems).toEqual(["docs/guide.md:1 (README.md) is not in the tree"]);
  });

  test("reports a link to a heading that the other document does not have", () => {
    const text = "[a](guide.md#13-two-words) [b](guide.md#135-two-words)";

    const { problems } = checkDocuments(arrange({ "docs/a.md": text, "docs/guide.md": "## 13.5 Two words\n" }));

    expect(problems).toEqual(["docs/a.md:1 (guide.md#13-two-words) has no heading"]);
  });

  test("reports a missing npm script, including in a fenced block", () => {
    expect(problemsOf("`npm run check:docs` and `npm test`\n```\nnpm run -s deploy\nnpm start\n```")).toEqual([
      'README.md:3 there is no npm script "deploy"',
      'README.md:4 there is no npm script "start"',
    ]);
  });

  test("reports an AGENTS.md of 151 lines, but not one of 150", () => {
    const linesOf = (count: number) => checkDocuments(arrange({ "AGENTS.md": "line\n".repeat(count) })).problems;

    expect(linesOf(150)).toEqual([]);
    expect(linesOf(151)).toEqual(["AGENTS.md:151 is longer than 150 lines"]);
  });

  test("reads every document: at the root, in docs/, and each workspace's README", () => {
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

  test.each([
    "As settled (contract, ruling 3).",
    "As in (contract,",
    "The order of contract ruling 4.",
    "See contract, section 10.",
    'See contract, "Shapes".',
    "Rulings 3 and 21 say so.",
    "The six steps of the specification.",
    "The specification's order.",
    "The interface specification decides.",
    "Decision S28.",
  ])("reports a citation of a document that is not in the repository: %s", (text) => {
    const { problems } = checkDocuments(
      arrange({ "README.md": `# Title\n\n${text}`, "service/src/a.ts": `/** ${text} */\n` }),
    );

    expect(problems).toEqual([
      expect.stringMatching(/^README\.md:3 ".*" cites a document that is not in the tree$/),
      expect.stringMatching(/^service\/src\/a\.ts:1 ".*" cites a document that is not in the tree$/),
    ]);
  });

  test.each([
    "The contract tests of a port.",
    "const { contract, now } = options;",
    "A bucket of S3, or S3-like.",
    "The OpenAPI specification.",
    "See docs/guide.md and RFC 9457, section 3.",
  ])("accepts a text that cites no such document: %s", (text) => {
    const tree = arrange({ "docs/guide.md": "", "service/src/a.ts": `/** ${text} */\n` });

    expect(checkDocuments(tree).problems).toEqual([]);
  });

  test.each(["interface.md", "contract.md", "../design/money.md", "docs/other.md"])(
    "reports a missing Markdown file that a source file mentions: %s",
    (file) => {
      const tree = arrange({ "service/src/a.ts": `// See ${file} for this.\n` });

      expect(checkDocuments(tree).problems).toEqual([`service/src/a.ts:1 "${file}" is not in the tree`]);
    },
  );

  test("reads source files of every kind, except installed dependencies", () => {
    const sources = [
      ".dependency-cruiser.cjs",
      "e2e/detection/01-flaw.patch",
      "service/src/a.ts",
      "service/src/db/migrations/0001_first.sql",
      "service/src/fast-state/admit.lua",
    ];
    const tree = arrange({
      ...Object.fromEntries(sources.map((source) => [source, ""])),
      "node_modules/other/index.js": "",
    });

    expect(checkDocuments(tree).sources).toEqual(
      [".ci/run", ...sources, "service/src/modules/wallets/queries.ts"].sort(),
    );
  });
});

import { globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { slugOf } from "../docs/slug.ts";

const DOCUMENTS = ["*.md", "docs/**/*.md", "*/README.md", "sdk/*/README.md"];
const SOURCES = ["**/*.{ts,tsx,js,cjs,mjs,sql,lua,sh,py,css,html,yml,yaml,patch}", "**/.*.{cjs,js,example}", ".ci/*"];
/** Files that contain examples of the citations that the check reports. */
const EXEMPT_SOURCES = ["scripts/documents.ts", "scripts/check-docs.test.ts"];
const AGENTS_LINES_MAX = 150;

const FILE_EXTENSION = /\.(ts|tsx|js|cjs|mjs|json|jsonl|md|sql|ya?ml|toml|sh|py|sol|lua|html|css|example)$/;
/** Matches code spans that are not paths but patterns, placeholders, packages, URLs or commands. */
const NOT_A_PATH = /[\s{}*…<>()[\]$=,;:"'|?&!%^]|^(https?|[/~@#-])/;
const MEDIA_TYPE = /^(application|audio|font|image|multipart|text|video)\//;
const ADDRESS_RANGE = /^[\d.]+\/\d+$/;

const CODE_SPAN = /`([^`]+)`/g;
const LINK_TARGET = /\]\(([^)\s]+)\)/g;
const NPM_SCRIPT = /\bnpm (?:run (?:-s |--silent )?([\w:-]+)|(start|test)\b)/g;
const FENCE = /^\s*(```|~~~)/;

/** Patterns that match citations of documents outside the repository. */
const FOREIGN_CITATIONS = [
  /\(contract\b[,)]/i,
  /\bcontract[,:]? (?:sections?|rulings?|")/i,
  /\brulings? \d/i,
  /\bthe (?:interface )?specification\b/i,
  /(?<![\w-])S\d{2}(?![\w-])/,
];
const MARKDOWN_FILE = /[\w./-]*\w\.md\b/g;

export interface DocumentCheck {
  /** This repository's Markdown files, relative to the root. */
  readonly documents: readonly string[];
  /** This repository's source files, relative to the root. */
  readonly sources: readonly string[];
  /** One line for each problem, starting with `file:line`. */
  readonly problems: readonly string[];
}

interface Repository {
  readonly root: string;
  /** Every file and folder, relative to the root, without a trailing slash. */
  readonly paths: ReadonlySet<string>;
  /**
   * All paths, grouped by their last component. A document can write `queries.ts` or `modules/wallets` instead of a
   * whole path.
   */
  readonly pathsByName: ReadonlyMap<string, readonly string[]>;
  /** Folders listed in .gitignore. They are created at run time, so paths in them need not exist. */
  readonly generated: readonly string[];
  readonly scripts: ReadonlySet<string>;
}

/**
 * Checks the Markdown files under `root`: every path in backticks, relative link and npm script must exist, and
 * AGENTS.md must be short. Documents and sources must not cite documents outside the tree.
 */
export function checkDocuments(root: string): DocumentCheck {
  const repository = readRepository(root);
  const documents = globSync(DOCUMENTS, { cwd: root, exclude: isForeign }).sort();
  const sources = globSync(SOURCES, { cwd: root, exclude: isForeign })
    .filter((source) => !EXEMPT_SOURCES.includes(source))
    .filter((source) => statSync(path.join(root, source)).isFile())
    .sort();
  const read = (file: string) => readFileSync(path.join(root, file), "utf8");
  return {
    documents,
    sources,
    problems: [
      ...documents.flatMap((document) => documentProblems(repository, document, read(document))),
      ...sources.flatMap((source) => sourceProblems(repository, source, read(source))),
    ],
  };
}

function sourceProblems(repository: Repository, source: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const missing = [...line.matchAll(MARKDOWN_FILE)]
      .map(([file]) => file)
      .filter((file) => !pathExists(repository, source, file))
      .map((file) => `"${file}" is not in the tree`);
    const problems = [...missing, ...foreignCitations(line)];
    return problems.map((problem) => `${source}:${index + 1} ${problem}`);
  });
}

function foreignCitations(line: string): string[] {
  return FOREIGN_CITATIONS.map((form) => form.exec(line)?.[0])
    .filter((citation) => citation !== undefined)
    .map((citation) => `"${citation}" cites a document that is not in the tree`)
    .slice(0, 1);
}

function documentProblems(repository: Repository, document: string, text: string): string[] {
  const lines = text.trimEnd().split("\n");
  const problems: string[] = [];
  let fenced = false;
  for (const [index, line] of lines.entries()) {
    if (FENCE.test(line)) fenced = !fenced;
    // A fenced block can contain program output or other people's code, so only its npm scripts and citations are
    // checked.
    const missing = [
      ...(fenced ? [] : missingPaths(repository, document, line)),
      ...missingScripts(repository, line),
      ...foreignCitations(line),
    ];
    problems.push(...missing.map((problem) => `${document}:${index + 1} ${problem}`));
  }
  if (path.basename(document) === "AGENTS.md" && lines.length > AGENTS_LINES_MAX) {
    problems.push(`${document}:${lines.length} is longer than ${AGENTS_LINES_MAX} lines`);
  }
  return problems;
}

function missingPaths(repository: Repository, document: string, line: string): string[] {
  const spans = [...line.matchAll(CODE_SPAN)].map(([, span = ""]) => withoutLocation(span)).filter(looksLikePath);
  const links = [...line.replaceAll(CODE_SPAN, "").matchAll(LINK_TARGET)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^([a-z]+:|\/|#)/.test(target));
  return [
    ...spans.filter((span) => !pathExists(repository, document, span)).map((span) => `\`${span}\` is not in the tree`),
    ...links
      .filter((target) => !repository.paths.has(path.join(path.dirname(document), withoutLocation(target), ".")))
      .map((target) => `(${withoutLocation(target)}) is not in the tree`),
    ...links.filter((target) => !hasAnchor(repository, document, target)).map((target) => `(${target}) has no heading`),
  ];
}

/** Returns false if the link names a heading, as in `a.md#part`, that the document at its path does not have. */
function hasAnchor({ root, paths }: Repository, document: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const linked = path.join(path.dirname(document), file);
  if (anchor === undefined || !linked.endsWith(".md") || !paths.has(linked)) return true;
  const headings = readFileSync(path.join(root, linked), "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].some(([, heading = ""]) => slugOf(heading) === anchor);
}

function missingScripts(repository: Repository, line: string): string[] {
  return [...line.matchAll(NPM_SCRIPT)]
    .map(([, run, short]) => run ?? short ?? "")
    .filter((script) => !repository.scripts.has(script))
    .map((script) => `there is no npm script "${script}"`);
}

/** Removes a line number or an anchor after a path, as in `a.ts:12-20` and `a.md#part`. */
function withoutLocation(reference: string): string {
  return reference.replace(/(:\d+(-\d+)?|#.*)$/, "");
}

function looksLikePath(span: string): boolean {
  if (NOT_A_PATH.test(span) || MEDIA_TYPE.test(span) || ADDRESS_RANGE.test(span)) return false;
  return span.includes("/") || FILE_EXTENSION.test(span);
}

/**
 * Returns true if the path exists relative to the root, to the document's folder or to any other folder, or if it is in
 * a generated folder.
 */
function pathExists(repository: Repository, document: string, span: string): boolean {
  const wanted = path.join(span, ".");
  if (repository.generated.some((folder) => `${wanted}/`.startsWith(`${folder}/`))) return true;
  const relative = path.join(path.dirname(document), wanted);
  return (
    repository.paths.has(wanted) ||
    repository.paths.has(relative) ||
    (repository.pathsByName.get(path.basename(wanted)) ?? []).some((known) => known.endsWith(`/${wanted}`))
  );
}

function readRepository(root: string): Repository {
  const paths = globSync(["**/*", "**/.*", "**/.*/**/*"], { cwd: root, exclude: isForeign });
  const manifest: { scripts?: Record<string, string> } = JSON.parse(
    readFileSync(path.join(root, "package.json"), "utf8"),
  );
  const ignored = readFileSync(path.join(root, ".gitignore"), "utf8").split("\n");
  return {
    root,
    paths: new Set(paths),
    pathsByName: Map.groupBy(paths, (known) => path.basename(known)),
    generated: ignored.filter((line) => line.endsWith("/")).map((line) => line.slice(0, -1)),
    scripts: new Set(Object.keys(manifest.scripts ?? {})),
  };
}

function isForeign(name: string): boolean {
  return ["node_modules", ".git", ".purser", "dist"].includes(path.basename(name));
}

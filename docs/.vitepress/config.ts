import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type MarkdownOptions } from "vitepress";
import { slugOf } from "../slug.ts";
import { codeTheme, replaceCodeStyles } from "./code-theme.ts";

const DOCS = join(import.meta.dirname, "..");
const BASE = "/docs/";

/** The sections of the sidebar. The text of an entry is the page's heading. */
const SECTIONS = {
  Start: ["index", "quickstart", "signing"],
  Tools: ["cli", "cli-session", "mcp"],
  Concepts: [
    "concepts/modes",
    "concepts/accounts",
    "concepts/payments",
    "concepts/approvals",
    "concepts/services",
    "concepts/freezes",
  ],
  Jobs: [
    "jobs/budget",
    "jobs/approvals",
    "jobs/payments",
    "jobs/database",
    "jobs/rotate",
    "jobs/freeze",
    "jobs/rehearse",
    "jobs/refusals",
    "jobs/convert",
    "jobs/verify",
    "jobs/webhooks",
  ],
  Recipes: ["cookbook", "recipes/ai-sdk", "recipes/langchain", "recipes/openai-agents", "testing-guide"],
  "Rules: calls": [
    "rules/credentials",
    "rules/signing",
    "rules/api-keys",
    "rules/scopes",
    "rules/requests",
    "rules/rate-limits",
    "rules/errors",
    "rules/idempotency",
    "rules/replay-protection",
    "rules/conventions",
  ],
  "Rules: projects and services": [
    "rules/projects",
    "rules/env-bundles",
    "rules/services",
    "rules/configured-providers",
    "rules/rotation",
    "rules/plan-changes",
    "rules/links",
    "rules/operations",
    "rules/costs",
    "rules/invoices",
    "rules/provider-keys",
  ],
  "Rules: agents and money": [
    "rules/agents",
    "rules/policies",
    "rules/approvals",
    "rules/wallets",
    "rules/freezes",
    "rules/payments",
    "rules/kill-switches",
    "rules/bank-accounts",
    "rules/conversions",
  ],
  "Rules: records": [
    "rules/audit-trail",
    "rules/events",
    "rules/webhooks",
    "event-types/projects",
    "event-types/agents",
    "event-types/payments",
    "event-types/conversions",
  ],
  "Rules: accounts": ["rules/accounts", "rules/logins", "rules/dashboard", "rules/kyb", "rules/admins"],
  Details: ["glossary"],
  Operation: ["local", "production", "changelog"],
  Operate: [
    "operate/deploy",
    "operate/metrics",
    "operate/alerts",
    "operate/failover",
    "operate/restore",
    "operate/scale",
  ],
  Contributing: ["testing", "mutation"],
  Decisions: [
    "decisions/0001-one-fast-state-port",
    "decisions/0002-read-timeouts",
    "decisions/0003-stored-responses",
    "decisions/0004-durable-workflows",
    "decisions/0005-who-retries",
    "decisions/0006-sagas",
    "decisions/0007-ledger",
    "decisions/0008-budgets",
    "decisions/0009-round-trips",
    "decisions/0010-policies",
    "decisions/0011-agent-account",
    "decisions/0012-installation",
  ],
} as const;

/** The reference is another page of the server. `_self` lets the browser load it. */
const REFERENCE = { text: "API reference", link: "/reference", target: "_self" };

function entryOf(page: string) {
  const [, text = page] = /^# (.+)$/m.exec(readFileSync(join(DOCS, `${page}.md`), "utf8")) ?? [];
  return { text: text.replaceAll("`", ""), link: page === "index" ? "/" : `/${page}` };
}

const markdown: MarkdownOptions = {
  theme: codeTheme,
  anchor: { slugify: slugOf },
  codeTransformers: [replaceCodeStyles],
  config: (md) => {
    // In the repository, the reference is the OpenAPI document.
    md.core.ruler.push("reference", ({ tokens }) => {
      const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === "link_open");
      for (const link of links.filter((token) => token.attrGet("href")?.endsWith("openapi/openapi.json"))) {
        link.attrSet("href", `${BASE.slice(0, -1)}${REFERENCE.link}`);
        link.attrSet("target", REFERENCE.target);
      }
    });
  },
};

export default defineConfig({
  title: "Purser",
  description: "Budgets, services and wallets for software agents",
  lang: "en",
  base: BASE,
  cleanUrls: true,
  // To disable transitions while the appearance changes, the page would need an inline style.
  appearance: { disableTransition: false },
  // The data that all pages share is then a file, not an inline script that is other in each build.
  metaChunk: true,
  markdown,
  // The Content-Security-Policy allows no inline styles. The theme's style sheet has the first one, and a script sets the other.
  transformHtml: (html) => html.replaceAll(/ style="(position:relative|--vp-vh:0px);"/g, ""),
  vite: { build: { assetsInlineLimit: 0 } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [{ text: "Quickstart", link: "/quickstart" }, REFERENCE],
    sidebar: [
      ...Object.entries(SECTIONS).map(([text, pages]) => ({
        text,
        items: pages.map(entryOf),
      })),
      { items: [REFERENCE] },
    ],
  },
});

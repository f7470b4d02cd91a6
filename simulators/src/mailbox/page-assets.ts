/** The style sheet of all pages. It supports the system's light and dark color schemes. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f8, #14161a);
  --card: light-dark(#ffffff, #1d2026);
  --raised: light-dark(#f0f3fa, #262b34);
  --line: light-dark(#dfe2e8, #333842);
  --text: light-dark(#1a1d23, #e8eaee);
  --quiet: light-dark(#59616e, #a0a8b5);
  --accent: light-dark(#2450c8, #8fb0ff);
  --on-accent: light-dark(#ffffff, #0d1526);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 56rem;
  background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; font-size: .9375rem; color: var(--quiet); font-weight: 600; }
p { margin: .25rem 0 0; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.quiet { color: var(--quiet); }
.back { display: inline-block; margin-bottom: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .625rem; }

.filter { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.5rem 0 1rem; align-items: center; }
.filter label { font-weight: 600; }
.filter input {
  flex: 1 1 14rem; min-width: 0; padding: .5rem .75rem; font: inherit;
  color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
}
.filter button {
  padding: .5rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .5rem;
}

.mails { list-style: none; margin: 0; padding: 0; overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem;
  padding: .75rem 1rem; color: inherit; text-decoration: none;
}
.mails a:hover { background: var(--raised); }
.mails a:focus-visible { outline-offset: -2px; }
.mails .subject { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.mails .people { grid-column: 1 / -1; overflow-wrap: anywhere; font-size: .875rem; color: var(--quiet); }
time { font-size: .875rem; color: var(--quiet); font-variant-numeric: tabular-nums; white-space: nowrap; }
.empty { padding: 3rem 1rem; text-align: center; color: var(--quiet); }

dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .125rem 1rem; margin: .75rem 0 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.links { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
.links a {
  display: block; padding: .75rem 1rem; border-radius: .5rem; text-decoration: none;
  background: var(--accent); color: var(--on-accent);
}
.links a:hover { text-decoration: underline; }
.links strong { display: block; font-size: 1.0625rem; overflow-wrap: anywhere; }
.links span { font-size: .8125rem; overflow-wrap: anywhere; }
pre {
  margin: 0; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .9375rem/1.55 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
iframe { display: block; width: 100%; height: 22rem; resize: vertical; background: #fff; color-scheme: light; }

@media (max-width: 36rem) {
  body { padding-top: 1.25rem; }
  .mails a { grid-template-columns: minmax(0, 1fr); }
  .mails .subject { white-space: normal; }
}
`;

/** Refreshes the list every two seconds, without changing the filter. */
export const REFRESH_SCRIPT = `
const listOf = (page) => page.getElementById("mails");
setInterval(async () => {
  if (document.hidden) return;
  try {
    const response = await fetch(location.href);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const [shown, current] = [listOf(document), listOf(page)];
    if (response.ok && current && shown.innerHTML !== current.innerHTML) shown.innerHTML = current.innerHTML;
  } catch {
    // The mailbox is not running. The next interval retries.
  }
}, 2000);
`;

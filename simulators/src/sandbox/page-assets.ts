/** Styles for the control page, in addition to the mailbox's style sheet. */
export const SANDBOX_STYLES = `
.vendor > summary { margin: 1.5rem 0 .5rem; }
.vendor h2 { display: inline; font-size: 1.25rem; color: var(--text); }
h3 { margin: 1.5rem 0 .5rem; font-size: .9375rem; color: var(--quiet); }
code { font: .875rem ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.filter { margin: 0; padding: .75rem 1rem; }
.filter select, .filter input {
  flex: 0 1 auto; max-width: 100%; padding: .5rem .75rem; font: inherit;
  color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
}
.filter input { width: 5rem; }
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .375rem 1rem; text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; }
tr + tr td { border-top: 1px solid var(--line); }
summary { cursor: pointer; }
.values { padding: .75rem 1rem; margin: 0; }
@media (max-width: 40rem) { .values { grid-template-columns: minmax(0, 1fr); } .values dd { margin: 0 0 .5rem; } }
`;

/**
 * Unfolds the vendor that the URL's fragment names. Refreshes the `data-live` parts of the page every two seconds,
 * unless a `details` element in one of them is open. The forms are outside these parts, so they keep their input.
 */
export const REFRESH_SCRIPT = `
const unfold = () => {
  const vendor = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!vendor) return;
  vendor.closest("details").open = true;
  vendor.parentElement.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();
setInterval(async () => {
  if (document.hidden || document.querySelector("[data-live] details[open]")) return;
  try {
    const response = await fetch(location.pathname);
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const shown of document.querySelectorAll("[data-live]")) {
      const current = page.getElementById(shown.id);
      if (current && shown.innerHTML !== current.innerHTML) shown.innerHTML = current.innerHTML;
    }
  } catch {
    // The sandbox is not running. The next interval retries.
  }
}, 2000);
`;

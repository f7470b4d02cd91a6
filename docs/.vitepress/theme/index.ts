import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

const STORED = "purser-docs-tab";
const TABS = ".vp-code-group .tabs input";

/** Chooses the tab with this title in all code groups of the page that have one. */
function chooseTabs(title: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(TABS)) {
    if (!input.checked && titleOf(input) === title) input.click();
  }
}

function titleOf(input: Element): string {
  return input.nextElementSibling?.textContent ?? "";
}

/** A tab that the reader chooses is chosen in all code groups, now and on later pages. */
function rememberTab({ target, isTrusted }: Event): void {
  if (!isTrusted || !(target instanceof Element) || !target.matches(TABS)) return;
  const title = titleOf(target);
  localStorage.setItem(STORED, title);
  const before = target.getBoundingClientRect().top;
  chooseTabs(title);
  // Blocks above can now be higher or lower.
  window.scrollBy({ top: target.getBoundingClientRect().top - before, behavior: "instant" });
}

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ router }) => {
    if (import.meta.env.SSR) return;
    document.addEventListener("change", rememberTab);
    router.onAfterPageLoad = () => requestAnimationFrame(() => chooseTabs(localStorage.getItem(STORED) ?? ""));
  },
};
export default theme;

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

/** Replaces Plaid's script in the app. Its messages go to this simulator only, and those of other pages are ignored. */
export const LINK_SCRIPT = `
(() => {
  const { origin } = new URL(document.currentScript.src);
  const create = ({ token, onSuccess, onExit = () => {} }) => {
    const frame = document.createElement("iframe");
    const destroy = () => {
      removeEventListener("message", receive);
      frame.remove();
    };
    const receive = ({ source, origin: from, data }) => {
      if (source !== frame.contentWindow || from !== origin) return;
      destroy();
      if (data.type === "success") onSuccess(data.public_token, data.metadata);
      else onExit(null, {});
    };
    const open = () => {
      frame.title = "Plaid Link";
      frame.src = origin + "/link?" + new URLSearchParams({ token, parent: location.origin });
      Object.assign(frame.style, { position: "fixed", inset: "0", width: "100%", height: "100%", border: "0", zIndex: "9999" });
      addEventListener("message", receive);
      document.body.append(frame);
      frame.focus();
    };
    return { open, destroy, exit: destroy };
  };
  window.Plaid = { create };
})();
`;

/** Runs in the frame, and hands the outcome to the app that the query names. */
export const FRAME_SCRIPT = `
const post = (message) => parent.postMessage(message, new URLSearchParams(location.search).get("parent"));
document.querySelector("[data-exit]")?.addEventListener("click", () => post({ type: "exit" }));
const { success } = document.querySelector("[data-success]")?.dataset ?? {};
if (success) {
  const { public_token, ...metadata } = JSON.parse(success);
  post({ type: "success", public_token, metadata });
}
`;

/** Replaces Stripe.js in the app. Its messages go to this simulator only, and those of other pages are ignored. */
export const STRIPE_SCRIPT = `
(() => {
  const { origin } = new URL(document.currentScript.src);
  const elementsOf = (key, { mode, currency, paymentMethodCreation, appearance = {} }) => {
    if (mode !== "setup" || !currency) throw new Error("elements() needs mode 'setup' and a currency.");
    if (paymentMethodCreation !== "manual") throw new Error("createPaymentMethod() needs paymentMethodCreation 'manual'.");
    const frame = document.createElement("iframe");
    const waiting = new Map();
    const listeners = { ready: [], change: [] };
    let markReady;
    const ready = new Promise((resolve) => { markReady = resolve; });
    const post = async (message) => {
      await ready;
      frame.contentWindow?.postMessage(message, origin);
    };
    const ask = (type) => new Promise((resolve) => {
      const id = crypto.randomUUID();
      waiting.set(id, resolve);
      post({ type, id });
    });
    const receive = ({ source, origin: from, data }) => {
      if (source !== frame.contentWindow || from !== origin) return;
      if (data.type === "ready") markReady();
      if (data.type === "resize") frame.style.height = data.height + "px";
      if (data.type === "answer") waiting.get(data.id)?.(data.answer);
      for (const listener of listeners[data.type] ?? []) listener({ elementType: "payment" });
    };
    const update = ({ appearance: { variables = {} } }) => post({ type: "appearance", variables });
    const destroy = () => {
      removeEventListener("message", receive);
      frame.remove();
    };
    const mount = (node) => {
      frame.title = "Secure payment input frame";
      frame.src = origin + "/elements/payment?" + new URLSearchParams({ key, parent: location.origin });
      Object.assign(frame.style, { display: "block", width: "100%", height: "0", border: "0" });
      addEventListener("message", receive);
      node.append(frame);
      update({ appearance });
    };
    const on = (event, listener) => listeners[event]?.push(listener);
    return { create: () => ({ mount, on, destroy }), update, submit: () => ask("submit"), ask };
  };
  window.Stripe = (key) => ({
    elements: (options) => elementsOf(key, options),
    createPaymentMethod: ({ elements }) => elements.ask("create"),
  });
})();
`;

/** Runs in the frame. Only the app that the query names can ask it, and it answers with ids and errors. */
export const ELEMENT_SCRIPT = `
const query = new URLSearchParams(location.search);
const parentOrigin = query.get("parent");
const post = (message) => parent.postMessage(message, parentOrigin);
const form = document.querySelector("form");
const text = (name) => form.elements[name].value.replaceAll(" ", "");
const expiry = () => /^(\\d{1,2})\\/?(\\d{2})$/.exec(text("expiry"));
const fail = (error) => {
  document.querySelector("[role=alert]").textContent = error.message;
  return { error };
};
const incomplete = (what) => fail({ type: "validation_error", message: "Your card's " + what + " is incomplete." });
const answers = {
  async submit() {
    if (text("number").length < 13) return incomplete("number");
    if (!expiry()) return incomplete("expiration date");
    if (text("cvc").length < 3) return incomplete("security code");
    return {};
  },
  async create() {
    const [, month, year] = expiry() ?? [];
    const response = await fetch("/v1/payment_methods", {
      method: "POST",
      headers: { authorization: "Bearer " + query.get("key") },
      body: new URLSearchParams({
        type: "card",
        "card[number]": text("number"),
        "card[exp_month]": Number(month),
        "card[exp_year]": 2000 + Number(year),
        "card[cvc]": text("cvc"),
        "billing_details[address][postal_code]": text("postal_code"),
      }),
    });
    const body = await response.json();
    return response.ok ? { paymentMethod: { id: body.id } } : fail(body.error);
  },
};
addEventListener("message", async ({ source, origin, data }) => {
  if (source !== parent || origin !== parentOrigin) return;
  if (data.type === "appearance") {
    for (const [name, value] of Object.entries(data.variables)) document.documentElement.style.setProperty("--" + name, value);
  } else {
    post({ type: "answer", id: data.id, answer: await answers[data.type]() });
  }
});
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => {
  document.querySelector("[role=alert]").textContent = "";
  post({ type: "change" });
});
new ResizeObserver(() => post({ type: "resize", height: document.documentElement.offsetHeight })).observe(document.body);
post({ type: "ready" });
`;

/** The app's appearance sets the variables. */
export const ELEMENT_STYLES = `
:root { --colorBackground: #ffffff; --colorText: #1a1d23; --colorTextSecondary: #59616e; --colorDanger: #c21d1d; --borderRadius: 4px; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--colorBackground); color: var(--colorText); font: .875rem/1.5 system-ui, sans-serif; }
form { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; padding: 2px; }
label { font-weight: 500; }
label:first-of-type, label:last-of-type, p { grid-column: 1 / -1; margin: 0; }
input {
  display: block; width: 100%; padding: .5rem .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--colorTextSecondary); border-radius: var(--borderRadius);
}
input::placeholder, p { color: var(--colorTextSecondary); opacity: 1; }
p[role=alert] { color: var(--colorDanger); }
p[role=alert]:empty { display: none; }
`;

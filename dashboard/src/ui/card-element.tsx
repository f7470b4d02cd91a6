import { Loader, useComputedColorScheme } from "@mantine/core";
import { type RefObject, useEffect, useRef, useState } from "react";
import { ProblemAlert } from "./problem-alert.tsx";
import { loadScript } from "./widgets.ts";

/** The part of Stripe.js that is used here: https://docs.stripe.com/js. */
interface Elements {
  create(type: "payment"): PaymentElement;
  update(options: { readonly appearance: object }): void;
  submit(): Promise<{ readonly error?: StripeError }>;
}

interface PaymentElement {
  mount(node: HTMLElement): void;
  on(event: "ready" | "change" | "loaderror", listener: (event: { readonly error?: StripeError }) => void): void;
  destroy(): void;
}

interface StripeError {
  readonly message?: string;
}

interface Stripe {
  elements(options: object): Elements;
  createPaymentMethod(options: {
    readonly elements: Elements;
  }): Promise<{ readonly paymentMethod?: { readonly id: string }; readonly error?: StripeError }>;
}

declare global {
  interface Window {
    Stripe?: (publishableKey: string) => Stripe;
  }
}

/** Makes a payment method from what the user entered, and returns its id. Throws an error with the text of Stripe. */
export type MakePaymentMethod = () => Promise<string>;

/** The colours of the theme: those of the dialog around the element. */
const APPEARANCES = {
  light: {
    theme: "stripe",
    variables: {
      colorBackground: "#fcfcfd",
      colorText: "#1a1d23",
      colorTextSecondary: "#59616e",
      colorDanger: "#c21d1d",
      borderRadius: "8px",
    },
  },
  dark: {
    theme: "night",
    variables: {
      colorBackground: "#242424",
      colorText: "#f1f3f5",
      colorTextSecondary: "#a9b0ba",
      colorDanger: "#ff8a8a",
      borderRadius: "8px",
    },
  },
} as const;

/**
 * Stripe's form for a card, in a frame of Stripe: neither this page nor the server gets the card's number. `make` is set when the
 * form is there.
 */
export function CardElement({
  script,
  publishableKey,
  make,
}: {
  readonly script: string;
  readonly publishableKey: string;
  readonly make: RefObject<MakePaymentMethod | null>;
}) {
  const place = useRef<HTMLDivElement>(null);
  const elements = useRef<Elements>(undefined);
  const [state, setState] = useState<"loading" | "ready" | Error>("loading");
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const firstScheme = useRef(scheme);

  useEffect(() => {
    let element: PaymentElement | undefined;
    let isLeft = false;
    const show = async () => {
      await loadScript(script);
      if (isLeft || place.current === null) return;
      const stripe = window.Stripe?.(publishableKey);
      if (stripe === undefined) throw new Error("The script of Stripe does not work here.");
      const appearance = APPEARANCES[firstScheme.current];
      const created = stripe.elements({
        ...{ mode: "setup", currency: "usd", appearance },
        ...{ paymentMethodTypes: ["card"], paymentMethodCreation: "manual" },
      });
      element = created.create("payment");
      element.on("ready", () => setState("ready"));
      element.on("loaderror", ({ error }) => setState(new Error(error?.message ?? "Stripe's form cannot be shown.")));
      make.current = makerOf(stripe, created, element);
      element.mount(place.current);
      elements.current = created;
    };
    show().catch((error: Error) => setState(error));
    return () => {
      isLeft = true;
      make.current = null;
      element?.destroy();
    };
  }, [script, publishableKey, make]);

  useEffect(() => {
    elements.current?.update({ appearance: APPEARANCES[scheme] });
  }, [scheme]);
  return (
    <>
      {state === "loading" && <Loader size="sm" aria-label="Loading the form for the card" />}
      <div ref={place} />
      <ProblemAlert error={state instanceof Error ? state : undefined} />
    </>
  );
}

/** The same entry makes one payment method: a call that is tried again after a lost answer is then the same call. */
function makerOf(stripe: Stripe, elements: Elements, element: PaymentElement): MakePaymentMethod {
  let made: string | undefined;
  element.on("change", () => {
    made = undefined;
  });
  return async () => {
    if (made !== undefined) return made;
    const { error: invalid } = await elements.submit();
    if (invalid !== undefined) throw new Error(invalid.message ?? "The card is incomplete.");
    const { paymentMethod, error } = await stripe.createPaymentMethod({ elements });
    if (paymentMethod === undefined) throw new Error(error?.message ?? "Stripe has refused the card.");
    made = paymentMethod.id;
    return made;
  };
}

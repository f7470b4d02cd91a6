import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { vendorNamesOf } from "../../foundation/vendors.ts";
import { IDENTITY_PROVIDERS } from "../../foundation/vocabulary.ts";
import { ListOf, NamedObject, Nullable, OneOf } from "../../foundation/wire/fields.ts";

const LoginCaptchaResource = NamedObject("LoginCaptcha", {
  provider: OneOf(
    ["altcha", ...vendorNamesOf("captcha")],
    "`altcha`: get a challenge from `GET /developers/captcha` and solve it. `turnstile`: show Cloudflare's widget.",
  ),
  site_key: Nullable(Type.String(), "The site key of the captcha provider's widget. Null with `altcha`."),
  action: Nullable(Type.String(), "The action name that the widget must have. Null with `altcha`."),
});

/** How developers can log in and sign up (docs/rules/accounts.md). */
export const LoginOptionsResource = Type.Object(
  {
    object: Type.Literal("login_options"),
    identity_providers: ListOf(
      Type.Enum([...IDENTITY_PROVIDERS]),
      "The identity providers with which developers can log in, besides a password.",
    ),
    captcha: LoginCaptchaResource,
  },
  { $id: "LoginOptions", description: "How developers can log in and sign up." },
);

export function presentLoginOptions({
  identityProviders,
  captcha: { widget },
}: Pick<App, "identityProviders" | "captcha">): Static<typeof LoginOptionsResource> {
  return {
    object: "login_options",
    identity_providers: IDENTITY_PROVIDERS.filter((provider) => identityProviders[provider] !== null),
    captcha: {
      provider: widget?.kind ?? "altcha",
      site_key: widget?.siteKey ?? null,
      action: widget?.action ?? null,
    },
  };
}

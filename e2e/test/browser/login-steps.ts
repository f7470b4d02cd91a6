import type { Page } from "playwright-core";
import { expect } from "vitest";
import { PASSWORD } from "./test-users.ts";

const READ_EMAIL = `fetch("/api/v1/svc/developers/dashboard/me").then((response) => response.json()).then(({ email }) => email)`;

interface Credentials {
  readonly email: string;
  readonly password?: string;
}

/** Actions and checks on the login page. */
export function loginStepsAt(baseUrl: () => string) {
  const at = (path: string) => baseUrl() + path;

  async function fillIn(page: Page, { email, password = PASSWORD }: Credentials): Promise<void> {
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  return {
    at,
    fillIn,
    async logIn(page: Page, credentials: Credentials): Promise<void> {
      await page.goto(at("/login"));
      await fillIn(page, credentials);
    },
    async untilLoggedIn(page: Page, email: string): Promise<void> {
      await page.getByRole("navigation", { name: "Screens" }).waitFor({ state: "attached" });
      expect(await page.evaluate(READ_EMAIL)).toBe(email);
    },
    async logOut(page: Page): Promise<void> {
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in" }).waitFor();
    },
    /** Opens a provider's consent page. */
    async openProvider(page: Page, provider: string): Promise<void> {
      await page.goto(at("/login"));
      await page.getByRole("link", { name: `Continue with ${provider}` }).click();
      await page.getByRole("heading", { name: `use your ${provider} account` }).waitFor();
    },
  };
}

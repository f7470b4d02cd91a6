import type { Page } from "playwright-core";
import { PASSWORD } from "./test-users.ts";

interface Credentials {
  readonly email: string;
  readonly password?: string;
}

/** Actions and checks on the login page. */
export function loginStepsAt(baseUrl: () => string) {
  const at = (path: string) => baseUrl() + path;

  async function fillIn(page: Page, { email, password = PASSWORD }: Credentials): Promise<void> {
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Log in" }).click();
  }

  return {
    at,
    fillIn,
    async logIn(page: Page, credentials: Credentials): Promise<void> {
      await page.goto(at("/login"));
      await fillIn(page, credentials);
    },
    async untilLoggedIn(page: Page, email: string): Promise<void> {
      await page.getByRole("heading", { name: "You are logged in" }).waitFor();
      await page.locator("strong", { hasText: email }).waitFor();
    },
    /** Opens a provider's consent page. */
    async openProvider(page: Page, provider: string): Promise<void> {
      await page.goto(at("/login"));
      await page.getByRole("link", { name: `Continue with ${provider}` }).click();
      await page.getByRole("heading", { name: `use your ${provider} account` }).waitFor();
    },
  };
}

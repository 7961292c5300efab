// The pages of oidc-provider, as a person goes through them: log in where that is asked for, then consent.
import type { Page } from 'playwright-core';
import { patienceMs, type Workbench } from './workbench.ts';

/** Clicks "Sign In" of a line, up to the question. */
export async function askToSignIn(workbench: Workbench, name: string): Promise<void> {
  await workbench.tree.clickInlineAction(name, 'Sign In');
  const question = workbench.page.locator('.monaco-dialog-box');
  const picker = workbench.page.locator('.quick-input-widget:visible');
  await question.or(picker).first().waitFor({ timeout: patienceMs });
  // A line that is drawn anew at the moment of the click does not say which server it is: it is asked for.
  if ((await picker.count()) > 0) await workbench.quickInput.pick(name);
}

/** From the open question about a sign-in to the page that the browser shows. */
export async function openSignInPage(workbench: Workbench): Promise<Page> {
  await workbench.dialog.expect('Sign in to');
  const opening = workbench.page.context().waitForEvent('page', { timeout: patienceMs });
  await workbench.dialog.answer('Sign In');
  // The editor asks about every site that it does not know.
  await workbench.dialog.answer('Open');
  const page = await opening;
  await page.getByRole('heading', { name: /Sign-in|Authorize/u }).waitFor({ timeout: patienceMs });
  return page;
}

/** Up to the click that sends the browser back. */
export async function completeSignIn(page: Page): Promise<void> {
  const login = page.locator('input[name=login]');
  const consent = page.getByRole('button', { name: 'Continue' });
  const end = page.getByText(/You are signed in|You can close this page/u);
  await login.or(consent).or(end).first().waitFor({ timeout: patienceMs });
  // What was allowed before may not be asked for again.
  if ((await end.count()) > 0) return;
  if ((await login.count()) > 0) {
    await login.fill('ada');
    await page.locator('input[name=password]').fill('not needed');
    await page.getByRole('button', { name: 'Sign-in' }).click();
  }
  await consent.click({ timeout: patienceMs });
}

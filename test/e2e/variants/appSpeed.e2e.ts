// What apps cost: until they are there, while they talk, and while nobody sees them.
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { scripted } from '../support/servers.ts';
import { inWindow, until } from '../support/workbench.ts';

/** In milliseconds, from the result, or the click, until the app says that it is initialized, on a machine of its own. */
const goalMs = 300;
/**
 * For the best of several tries: other suites run beside this one. The editor alone needs 400 on a slow machine until an
 * empty page is there.
 */
const limitMs = 1_500;
const tries = 5;

describe('An app', () => {
  const workbench = inWindow({ servers: { pages: scripted('appServer.mjs') }, ready: ['pages'] });
  const { chat, dialog, editors } = workbench;
  let app: Frame;

  before(() => chat.open());

  it('of a call by hand is initialized soon after the server gave the result', async function () {
    await expectSoon(this.test, async () => {
      await workbench.chooseTool('steady');
      await dialog.answer('Run', '"steady"');
      return number('waitedMs');
    });
  });

  it('of a call by @mcp is initialized soon after the click that opens it', async function () {
    await chat.send('steady {}');
    await dialog.answer('Run', '"steady"');
    await chat.waitForAnswer('The tool answered');
    await expectSoon(this.test, async () => {
      const start = Date.now();
      await chat.clickButton('Open App');
      return (await number('initializedAt')) - start;
    });
  });

  it('sends 60 messages a second for a minute, and has an answer to each', async () => {
    await app.locator('#start').click();
    await app.getByText('3600 of 3600 answered').waitFor({ timeout: 90_000 });
  });

  it('draws nothing while its tab is hidden', async () => {
    await chat.clickAnchor('steady.md');
    await editors.waitForTab('steady.md');
    const before: unknown = await app.evaluate('window.frameCount');
    // As long as the window draws itself 100 times.
    await workbench.page.evaluate(
      'new Promise((resolve) => { let left = 100; const draw = () => (left -= 1) > 0 ? requestAnimationFrame(draw) : resolve(); draw(); })',
    );
    assert.equal(await app.evaluate('window.frameCount'), before);
  });

  /** A number that the app takes. */
  async function number(name: string): Promise<number> {
    app = await editors.webview('Steady');
    const found = await until(
      'the app',
      // `waitForFunction` is refused by the policy of the page around the app.
      () => app.evaluate<number | null>(`window.${name} ?? null`),
      (value) => value !== null,
    );
    return found ?? assert.fail();
  }

  async function expectSoon(
    test: Mocha.Runnable | undefined,
    measure: () => Promise<number>,
  ): Promise<void> {
    const times: number[] = [];
    for (let count = 0; count < tries; count += 1) {
      await workbench.closeEditors();
      times.push(await measure());
    }
    assert.ok(test);
    test.title += ` (${times.join(', ')} ms; the goal is ${goalMs})`;
    assert.ok(Math.min(...times) < limitMs, times.join());
  }
});

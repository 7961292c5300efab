// Official servers of MCP Apps: each app draws the result of its tool, is used, and calls a tool of its server.
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { published } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { inWindow } from '../support/workbench.ts';

const frameworks = ['react', 'svelte', 'preact', 'solid'];
const titles: Readonly<Record<string, string>> = {
  'budget-allocator': 'Get Budget Data',
  'system-monitor': 'Get System Info',
};

for (const framework of frameworks) {
  describe(`The app of basic-${framework}`, () => {
    const workbench = inWindow(async () => ({
      servers: { clock: published(`server-basic-${framework}`, '--stdio') },
      ready: ['clock'],
    }));

    it('APP-55, APP-57, APP-65: draws the result, and a click calls a tool', async () => {
      await workbench.chooseTool('Get Time');
      await workbench.dialog.answer('Run', '"Get Time"');
      const app = await workbench.editors.webview('Get Server Time');
      const first = await shown(app, 'code', /^\d{4}-\d\d-\d\dT/u);
      await app.getByText('Get Server Time', { exact: true }).click();
      await workbench.dialog.answer('Allow This Tool', /An app of.*"clock".*"Get Time"/u);
      await shown(app, 'code', new RegExp(`^(?!${first})\\d{4}-\\d\\d-\\d\\dT`, 'u'));
    });
  });
}

describe('The app of an official server with controls', () => {
  const workbench = inWindow(async () => ({
    servers: Object.fromEntries(
      Object.keys(titles).map((name) => [name, published(`server-${name}`, '--stdio')]),
    ),
    ready: Object.keys(titles),
  }));

  it('APP-55, APP-57: budget-allocator: draws the budget, which a slider changes', async () => {
    const app = await open('budget-allocator', 'Budget Allocator');
    const before = await shown(app, '#status-bar', /Allocated: \$[1-9]/u);
    await app.locator('input[type="range"]').first().press('End');
    await until(
      'another sum',
      () => app.locator('#status-bar').innerText(),
      (text) => text !== before,
    );
  });

  it('APP-10, APP-12: system-monitor: asks a tool that is for apps alone', async () => {
    const app = await open('system-monitor', 'System Monitor');
    // It begins by itself, and its question covers its button.
    await workbench.dialog.answer(
      'Allow This Tool',
      /An app of.*"system-monitor".*"Poll System Stats"/u,
    );
    await shown(app, '#memory-percent', /^\d+%$/u);
    await shown(app, '#info-platform', /linux|darwin|win/iu);
  });

  async function open(server: string, text: string): Promise<Frame> {
    // What is typed into an app does not reach the editor.
    const tab = workbench.page.locator('.part.editor .tabs-container .tab').first();
    if (await tab.isVisible()) await tab.click();
    await workbench.closeEditors();
    const title = titles[server] ?? assert.fail(server);
    await workbench.chooseTool(title);
    await workbench.dialog.answer('Run', `"${title}"`);
    return workbench.editors.webview(text);
  }
});

/** The text of the first element that `selector` finds, once it is like `pattern`. */
async function shown(app: Frame, selector: string, pattern: RegExp): Promise<string> {
  const element = app.locator(selector).first();
  return until(
    `${selector} like ${pattern}`,
    () => element.innerText(),
    (text) => pattern.test(text),
  );
}

// Official servers of MCP Apps: each app draws the result of its tool, is used, and calls a tool of its server.
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { published } from '../support/servers.ts';
import { takeInOtherThemes } from '../support/themes.ts';
import { succeeds, until } from '../support/until.ts';
import { inWindow } from '../support/workbench.ts';

const titles: Readonly<Record<string, string>> = {
  'budget-allocator': 'Get Budget Data',
  'system-monitor': 'Get System Info',
};

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

  afterEach(() => takeInOtherThemes(workbench));

  async function open(server: string, text: string): Promise<Frame> {
    await workbench.closeEditors();
    const title = titles[server] ?? assert.fail(server);
    await workbench.chooseTool(title);
    await workbench.dialog.answer('Run', `"${title}"`);
    return workbench.editors.webview(text);
  }
});

describe('The app of an official server, opened from an answer of @mcp', () => {
  const tools = {
    'cohort-heatmap': 'get-cohort-data {}',
    'customer-segmentation': 'get-customer-data {}',
    'scenario-modeler': 'get-scenario-data {}',
    shadertoy: `render-shadertoy ${JSON.stringify({ fragmentShader: 'void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0, 0.0, 0.0, 1.0); }' })}`,
    'sheet-music': `play-sheet-music ${JSON.stringify({ abcNotation: 'X:1\nT:Scale\nM:4/4\nK:C\nCDEF|' })}`,
  };
  const workbench = inWindow(async () => ({
    servers: Object.fromEntries(
      Object.keys(tools).map((name) => [name, published(`server-${name}`, '--stdio')]),
    ),
    ready: Object.keys(tools),
  }));
  const { chat, dialog, editors } = workbench;

  before(() => chat.open());
  afterEach(() => takeInOtherThemes(workbench));

  it('APP-44, APP-65: cohort-heatmap: another metric is another call of its tool', async () => {
    await open('cohort-heatmap');
    await dialog.answer('Allow This Tool', /An app of.*"cohort-heatmap"/u);
    const app = await editors.webview('Dec 2025');
    const shownNow = () => app.locator('body').innerText();
    const before = await shownNow();
    await app.locator('select').first().selectOption('Active Users');
    await until('other numbers', shownNow, (text) => text !== before);
  });

  it('APP-44: customer-segmentation: another axis is another chart', async () => {
    await open('customer-segmentation');
    await dialog.answer('Allow This Tool', /An app of.*"customer-segmentation"/u);
    const app = await editors.webview('Enterprise');
    const chart = app.locator('#scatter-chart');
    const drawn = () => chart.screenshot();
    const before = await drawn();
    await app.locator('#x-axis').selectOption('Employees');
    await until('another chart', drawn, (now) => !now.equals(before));
  });

  it('APP-57: scenario-modeler: a slider changes the projection', async () => {
    await open('scenario-modeler');
    const app = await editors.webview('Starting MRR');
    await app.locator('input[type="range"]').first().press('End');
    await editors.webview('$500K');
  });

  it('APP-62, APP-64: shadertoy: fills the window when it is asked to, and goes back', async () => {
    await open('shadertoy');
    // Its page has no text.
    const app = workbench.page
      .frameLocator('.webview')
      .frameLocator('#active-frame')
      .frameLocator('iframe');
    const isFull = async () => (await app.locator('.main.fullscreen').count()) === 1;
    await app.locator('#fullscreen-btn').click();
    await until('the whole window', isFull);
    await app.locator('#fullscreen-btn').click();
    await until('its tab', async () => !(await isFull()));
  });

  it('APP-27: sheet-music: draws notes once the sites that it reaches were seen', async () => {
    await open('sheet-music');
    const shell = await editors.webview('https://paulrosen.github.io');
    await shell.getByText('Show App', { exact: true }).click();
    const app = await editors.webview('Scale');
    await until('a note', async () => (await app.locator('svg .abcjs-note').count()) === 4);
    await app.locator('.abcjs-midi-start').click();
    await until(
      'the music to play, or to say why not',
      async () =>
        (await app.locator('.abcjs-pushed').count()) +
        (await app.getByText(/audio|sound|fetch/iu).count()),
      (count) => count > 0,
    );
  });

  async function open(server: keyof typeof tools): Promise<void> {
    // What is typed into an app does not reach the editor.
    await chat.clear();
    await workbench.closeEditors();
    await chat.send(tools[server]);
    await dialog.answer('Run', `"${server}"`);
    const tab = workbench.page.locator('.part.editor .tabs-container .tab').first();
    await until(
      'the tab of the app',
      async () => {
        // An answer that is drawn anew at this moment loses the click; a second one shows the same tab.
        await chat.clickButton('Open App');
        return succeeds(tab.waitFor({ timeout: 5_000 }));
      },
      Boolean,
    );
  }
});

describe('The app of an official server, made with', () => {
  const frameworks = ['react', 'svelte', 'preact', 'solid'];
  const workbench = inWindow(async () => ({
    servers: Object.fromEntries(
      frameworks.map((name) => [name, published(`server-basic-${name}`, '--stdio')]),
    ),
    ready: frameworks,
  }));

  afterEach(() => takeInOtherThemes(workbench));

  for (const framework of frameworks) {
    it(`APP-55, APP-57, APP-65: ${framework}: draws the result, and a click calls a tool`, async () => {
      await workbench.closeEditors();
      await workbench.tree.expand(framework, 'Tools');
      await workbench.tree.clickRow('Get Time');
      await workbench.dialog.answer('Run', '"Get Time"');
      await workbench.tree.collapse(framework);
      const app = await workbench.editors.webview('Get Server Time');
      const first = await shown(app, 'code', /^\d{4}-\d\d-\d\dT/u);
      await app.getByText('Get Server Time', { exact: true }).click();
      await workbench.dialog.answer(
        'Allow This Tool',
        new RegExp(`An app of.*"${framework}".*"Get Time"`, 'u'),
      );
      await shown(app, 'code', new RegExp(`^(?!${first})\\d{4}-\\d\\d-\\d\\dT`, 'u'));
    });
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

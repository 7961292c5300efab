// Resources in the editor: text with its language, pictures in the viewer, errors as errors; the pickers beside them.
import assert from 'node:assert/strict';
import path from 'node:path';
import { published, scripted } from './support/servers.ts';
import { variant } from './support/variant.ts';
import { eventually, openWorkbench, patienceMs, until } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('A resource', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          showcase: scripted('showcase.mjs'),
          everything: published('server-everything', 'stdio'),
          alone: { ...scripted('showcase.mjs'), roots: 'none', startup: 'manual' },
          // The last: the end of the tree is the end of its list.
          huge: { ...scripted('showcase.mjs', { TOOLS: '10000' }), startup: 'manual' },
        },
      },
    });
    await workbench.tree.show();
    await workbench.extension.waitForServer('showcase', 'ready');
    await workbench.tree.expand('showcase', 'Resources');
  });

  after(() => workbench.close());

  it('VSC-08, RES-04: opens as a read-only document in its language', async () => {
    await workbench.tree.clickRow('Colours');
    await workbench.editors.waitForText('"#0000ff"');
    await until(
      'the language',
      () => workbench.statusBar.texts(),
      (items) => items.includes('JSON'),
    );
    await workbench.editors.expect(['colours.json']);
    await eventually(
      () => workbench.page.locator('.part.editor .breadcrumbs-control').innerText(),
      (breadcrumbs) =>
        assert.match(breadcrumbs, /demo:..notes.colours\.json/, 'the resource’s URI can be read'),
    );
    await workbench.screenshot('resource-text');
    await workbench.page.locator('.part.editor .view-lines').first().click();
    await workbench.page.keyboard.type('x');
    await until(
      'the editor to refuse typing',
      () => workbench.page.locator('.monaco-editor-overlaymessage').first().innerText(),
      (text) => /read-only/.test(text),
    );
  });

  variant('VSC-08: opens in the image viewer when it is one', async () => {
    await workbench.tree.clickRow('square.png');
    await until(
      'the picture’s size in the status bar',
      () => workbench.statusBar.texts(),
      (items) => items.some((item) => item.includes('64x64')),
    );
    await workbench.screenshot('resource-image');
  });

  it('RES-13: that cannot be read shows the server’s error', async () => {
    await workbench.tree.clickRow('plan.txt');
    const text = await workbench.notifications.waitFor('The archive is locked for today');
    await workbench.screenshot('resource-error');
    assert.match(text, /showcase/);
    assert.match(text, /plan\.txt/);
    assert.ok(!(await workbench.editors.titles()).includes('plan.txt'), 'no empty file');
    await workbench.notifications.clear();
  });

  it('VSC-07, RES-02: is found over all servers by Go to Resource', async () => {
    await workbench.extension.waitForServer('everything', 'ready');
    await workbench.runCommand('MCP Host: Go to Resource…');
    const { quickInput } = workbench;
    await quickInput.waitForItems('resources of both servers', (items) =>
      ['Colours', 'features.md'].every((label) => items.includes(label)),
    );
    await workbench.screenshot('go-to-resource');
    await quickInput.fill('features');
    await quickInput.pick('features.md');
    await until(
      'the document',
      () => workbench.editors.titles(),
      (titles) => titles.includes('features.md'),
    );
    await workbench.screenshot('resource-markdown');
  });

  variant(
    'RES-05, RES-06: a template of a published server is found, filled in and opened',
    async () => {
      const { quickInput } = workbench;
      await workbench.runCommand('MCP Host: Go to Resource…');
      await quickInput.fill('dynamic text');
      await quickInput.waitForItems('the template', ([first]) => first === 'Dynamic Text Resource');
      await quickInput.pick('Dynamic Text Resource');
      await quickInput.expectTitle(/everything: Dynamic Text Resource/);
      await quickInput.fill('7');
      await quickInput.waitForItems('the value', (items) => items.includes('7'));
      await quickInput.accept();
      await quickInput.waitForItems('the choices', (items) => items.includes('Change Values'));
      await quickInput.pick('Open');
      await until(
        'the document',
        () => workbench.editors.titles(),
        (titles) => titles.includes('7.txt'),
      );
      await workbench.editors.waitForText('Resource 7: This is a plaintext resource');
    },
  );

  it('ROOT-07, ROOT-09, VSC-26: Show Roots lists the folders that each server is told of', async () => {
    await workbench.runCommand('MCP Host: Show Roots');
    const { quickInput } = workbench;
    const folder = path.basename(workbench.folder);
    await quickInput.expectItems([folder, folder, 'no folder', folder]);
    await workbench.screenshot('roots');
    const box = workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
    await eventually(
      () => box.getAttribute('placeholder'),
      (placeholder) => assert.match(placeholder ?? '', /A hint to servers, not a limit/),
    );
    await quickInput.cancel();
  });

  variant(
    'a server with 10,000 tools opens in the tree a slice at a time, and the window goes on answering',
    async () => {
      await workbench.tree.collapse('showcase');
      await workbench.tree.collapse('everything');
      await workbench.tree.clickInlineAction('huge', 'Start Server');
      await workbench.extension.waitForServer('huge', 'ready');
      await workbench.tree.expand('huge', 'Tools');
      await workbench.tree.waitForRows('the tools', (rows) =>
        rows.some(({ label }) => label === 'tool-1'),
      );
      // The window is free when it draws a frame and opens the palette while the list is there.
      const started = Date.now();
      await workbench.runCommand('MCP Host: Show Roots');
      await workbench.quickInput.waitFor();
      await workbench.quickInput.cancel();
      assert.ok(Date.now() - started < patienceMs, `the palette took ${Date.now() - started} ms`);
      const tree = workbench.page.locator('.sidebar .monaco-list').first();
      await tree.press('End');
      const last = await workbench.tree.waitForRows('the end of the slice', (rows) =>
        rows.some(({ label }) => /^Show more \(9,?507 left\)/.test(label)),
      );
      await workbench.screenshot('many-tools');
      await workbench.tree
        .row(last.find(({ label }) => label.startsWith('Show more'))!.label)
        .click();
      await workbench.tree.waitForRows('the next slice', (rows) =>
        rows.some(({ label }) => label === 'tool-494'),
      );
    },
  );
});

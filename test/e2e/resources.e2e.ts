// Resources in the editor: text with its language, pictures in the viewer, errors as errors; the pickers beside them.
import assert from 'node:assert/strict';
import path from 'node:path';
import { published, scripted } from './support/servers.ts';
import { eventually, inWindow, until } from './support/workbench.ts';

describe('A resource', () => {
  const workbench = inWindow({
    servers: {
      showcase: { ...scripted('showcase.mjs'), roots: [path.resolve('/nowhere/templates')] },
      everything: published('server-everything', 'stdio'),
      alone: { ...scripted('showcase.mjs'), roots: 'none', startup: 'manual' },
    },
    ready: ['showcase', 'everything'],
  });
  const { tree, editors, quickInput, notifications, statusBar, extension } = workbench;

  before(() => tree.expand('showcase', 'Resources'));

  it('VSC-08, RES-04: opens as a read-only document in its language', async () => {
    await tree.clickRow('Colours');
    await editors.waitForText('"#0000ff"');
    await until(
      'the language',
      () => statusBar.texts(),
      (items) => items.includes('JSON'),
    );
    await editors.expect(['colours.json']);
    await eventually(
      () => workbench.page.locator('.part.editor .breadcrumbs-control').innerText(),
      (breadcrumbs) =>
        assert.match(breadcrumbs, /demo:..notes.colours\.json/, 'the resource’s URI can be read'),
    );
    await workbench.page.locator('.part.editor .view-lines').first().click();
    await workbench.page.keyboard.type('x');
    await until(
      'the editor to refuse typing',
      () => workbench.page.locator('.monaco-editor-overlaymessage').first().innerText(),
      (text) => /read-only/.test(text),
    );
  });

  it('RES-13: that cannot be read shows the server’s error', async () => {
    await tree.clickRow('plan.txt');
    const text = await notifications.waitFor('The archive is locked for today');
    assert.match(text, /showcase/);
    assert.match(text, /plan\.txt/);
    assert.ok(!(await editors.titles()).includes('plan.txt'), 'no empty file');
    await notifications.clear();
  });

  it('VSC-07, RES-02: is found over all servers by Go to Resource', async () => {
    await extension.waitForServer('everything', 'ready');
    await workbench.runCommand('MCP Host: Go to Resource…');
    await quickInput.waitForItems('resources of both servers', (items) =>
      ['Colours', 'features.md'].every((label) => items.includes(label)),
    );
    await quickInput.fill('features');
    await quickInput.expectItems(['features.md']);
    await quickInput.pick('features.md');
    await editors.waitForTab('features.md');
  });

  it('ROOT-07, ROOT-09, VSC-26: Show Roots lists the folders, each with the servers that are told of it', async () => {
    await workbench.runCommand('MCP Host: Show Roots');
    const folder = path.basename(workbench.folder);
    await quickInput.expectItems([folder, 'templates', 'no folder']);
    await quickInput.expectText('Not found, so these are not told of it: showcase');
    await quickInput.expectText('showcase, everything');
    const box = workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
    await eventually(
      () => box.getAttribute('placeholder'),
      (placeholder) => assert.match(placeholder ?? '', /A hint to servers, not a limit/),
    );
    await quickInput.cancel();
  });
});

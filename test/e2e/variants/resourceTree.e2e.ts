// Very many resources in the MCP view: what a row tells, dragging one out, filters, a long list.
import assert from 'node:assert/strict';
import { scripted } from '../support/servers.ts';
import { eventually, inWindow, until } from '../support/workbench.ts';

describe('Many resources in the MCP view', () => {
  const workbench = inWindow({
    servers: { library: scripted('library.mjs') },
    ready: ['library'],
  });
  const { tree, editors, quickInput, chat } = workbench;

  before(() => tree.expand('Resources', 'file:///srv/handbook'));

  /** The address of the picture on a row, as its style says it. */
  async function iconOf(label: string): Promise<string> {
    const icon = tree.row(label).locator('.custom-view-tree-node-item-icon');
    return (await icon.getAttribute('style')) ?? '';
  }

  it('tells a screen reader what a row is', async () => {
    for (const [label, spoken] of [
      ['The Handbook', 'The Handbook, resource, 12.3 kB, How things are done here'],
      ['chapters', 'chapters, folder, 30 resources'],
      ['Resources', 'Resources, 1,267'],
    ] as const) {
      await until(
        `${label} to be called "${spoken}"`,
        () => tree.row(label).getAttribute('aria-label'),
        (name) => name === spoken,
      );
    }
  });

  it('ICON-01, ICON-04: draws the icons of server and tools that may be drawn, by theme', async () => {
    await tree.expand('Tools');
    for (const [label, file] of [
      ['library', /icons(?:\/|%2F)[0-9a-f]{64}\.png/u],
      ['lend', /icons(?:\/|%2F)[0-9a-f]{64}\.svg/u],
    ] as const) {
      await eventually(
        () => iconOf(label),
        (shown) => assert.match(shown, file),
      );
    }
    assert.doesNotMatch(await iconOf('return'), /url/u);
    await tree.collapse('Tools');
  });

  it('is dragged into the editor', async () => {
    const target = workbench.page.locator('.part.editor > .content');
    await until(
      'the document',
      async () => {
        await tree.drag('The Handbook', target);
        return editors.titles();
      },
      (titles) => titles.includes('README.md'),
    );
    await editors.waitForText('This is file:///srv/handbook/README.md');
    await workbench.closeEditors();
  });

  it('VSC-09: is dragged into the chat, and attached there', async () => {
    await chat.open();
    await until(
      'the attachment',
      async () => {
        await tree.drag('The Handbook', workbench.page.locator('.interactive-input-part'));
        return chat.attachments();
      },
      (names) => names.some((name) => name.includes('README.md')),
    );
  });

  it('tells all of a resource by keyboard alone', async () => {
    await workbench.runCommand('MCP Host: Show Details');
    await quickInput.expectItem('library');
    await quickInput.fill('done handbook');
    await quickInput.expectItems(['The Handbook']);
    await quickInput.pick('The Handbook');
    await editors.waitForText('"priority": 0.8');
    await workbench.closeEditors();
  });

  it('shows what matches a filter while it is typed, and all again', async () => {
    await tree.clickInlineAction('Resources', 'Filter…');
    await quickInput.fill('CHAPTER-1 handbook');
    await tree.expectRow('Resources', /^“CHAPTER-1 handbook” · 11 of 1,267$/u);
    await tree.expectLabels('Resources', 'chapter-1.md', 'chapter-10.md');
    await tree.clickRow('chapter-1.md');
    await editors.waitForTab('chapter-1.md');
    await tree.expectRow('Resources', /^“CHAPTER-1 handbook” · 11 of 1,267$/u);
    await quickInput.accept();
    await quickInput.waitForEnd();
    await tree.expectRow('Resources', /^“CHAPTER-1 handbook” · 11 of 1,267$/u);
    await tree.clickInlineAction('Resources', 'Clear Filter');
    await tree.expectRow('Resources', /^1,267$/u);
    await tree.expectLabels('Resources', 'demo://archive/2024', 'file:///srv/handbook');
  });

  it('filters by keyboard alone, and Escape takes it back', async () => {
    await workbench.runCommand('MCP Host: Filter…');
    await quickInput.pick('Tools');
    await quickInput.expectTitle(/Filter Tools of library/);
    await quickInput.fill('no such thing');
    await tree.expectLabels('Tools', 'Nothing matches “no such thing”');
    await quickInput.cancel();
    await quickInput.waitForEnd();
    await tree.expectLabels('Tools', 'lend', 'return');
    await tree.collapse('Tools');
  });

  it('shows a long list in parts', async () => {
    await workbench.runCommand('MCP Host: View Resources as List');
    await tree.expectLabels('Resources', 'The Handbook');
    await tree.expectRow('odd', /^file:\/\/\/srv\/handbook\/caf%C3%A9\/odd\.txt$/u);
    const list = workbench.page.locator('.sidebar .monaco-list').first();
    for (const left of ['767', '267']) {
      await until(
        `"Show more (${left} left)"`,
        async () => {
          await list.press('End');
          return tree.rows();
        },
        (rows) => rows.some(({ label }) => label === `Show more (${left} left)`),
      );
      await list.press('Enter');
    }
    await until(
      'the last entry',
      async () => {
        await list.press('End');
        return tree.rows();
      },
      (rows) => rows.some(({ label }) => label === 'entry-1234'),
    );
    await workbench.runCommand('MCP Host: View Resources as Tree');
    await tree.expectRow('demo://archive/2024', /^1,234$/u);
  });
});

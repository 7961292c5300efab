// Very many resources in the MCP view: folders, pages that come late, a filter, what a row tells, dragging one out.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { Row } from './support/serversTree.ts';
import { variant } from './support/variant.ts';
import { newFile } from './support/ground.ts';
import { scripted } from './support/servers.ts';
import { eventually, inWindow, until } from './support/workbench.ts';

describe('Resources in the MCP view', () => {
  const release = newFile('release');
  const workbench = inWindow({
    servers: { library: scripted('library.mjs', { RELEASE: release }) },
    ready: ['library'],
  });
  const { tree, editors, quickInput, chat } = workbench;

  /** Waits until the row with this label says `description`. */
  async function waitForDescription(label: string, description: string): Promise<readonly Row[]> {
    return tree.waitForRows(`${label} to say "${description}"`, (rows) =>
      rows.some((row) => row.label === label && row.description === description),
    );
  }

  /** The address of the picture on a row, as its style says it. */
  async function iconOf(label: string): Promise<string> {
    const icon = tree.row(label).locator('.custom-view-tree-node-item-icon');
    return (await icon.getAttribute('style')) ?? '';
  }

  /** Waits until these labels stand one below the other. */
  async function waitForLabels(...labels: readonly string[]): Promise<void> {
    await tree.waitForRows(labels.join(', '), (rows) => {
      const from = rows.findIndex(({ label }) => label === labels[0]);
      return labels.every((label, index) => rows[from + index]?.label === label);
    });
  }

  it('PAGE-01: shows the first page while the next one is awaited', async () => {
    await waitForDescription('Resources', '40, loading…');
    await tree.expand('Resources');
    await waitForLabels(
      'Resources',
      'demo://archive/2024',
      'file:///srv/handbook',
      'Loading the rest…',
    );
    await writeFile(release, '');
    await waitForDescription('Resources', '1,267');
  });

  it('RES-01, NAME-01: sorts resources into folders by their URIs, and gives each a name', async () => {
    await tree.expand('file:///srv/handbook', 'café');
    await waitForLabels(
      'file:///srv/handbook',
      'café',
      'file:///srv/handbook/caf%C3%A9/menu.txt',
      'odd',
      'chapters',
      'The Handbook',
    );
    await waitForDescription('chapters', '30');
    await waitForDescription('The Handbook', '12.3 kB · How things are done here');
    await waitForDescription('file:///srv/handbook/caf%C3%A9/menu.txt', '1 byte');
  });

  it('RES-10: tells size, audience, priority and time of a resource in its tooltip', async () => {
    const tooltip = await tree.tooltip('The Handbook', 'Priority');
    for (const part of [
      'URI file:///srv/handbook/README.md',
      'Type text/markdown',
      'Size 12.3 kB',
      'Meant for you and the model',
      'Priority 0.8 of 1',
      'Last modified Mar 4, 2025',
    ]) {
      assert.ok(tooltip.includes(part), `${part}: ${tooltip}`);
    }
  });

  variant('tells a screen reader what a row is', async () => {
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

  variant(
    'ICON-01, ICON-04: draws the icons of server and tools that may be drawn, by theme',
    async () => {
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
    },
  );

  variant('keeps open what is open when the list is fetched again', async () => {
    await tree.expand('chapters');
    await workbench.runCommand('MCP Host: Refresh Lists');
    await quickInput.pick('library');
    await waitForLabels('odd', 'chapters', 'chapter-1.md', 'chapter-2.md');
    await waitForDescription('Resources', '1,267');
    await tree.collapse('chapters');
  });

  variant('is dragged into the editor', async () => {
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

  variant('VSC-09: is dragged into the chat, and attached there', async () => {
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

  variant('tells all of a resource by keyboard alone', async () => {
    await workbench.runCommand('MCP Host: Show Details');
    await quickInput.expectItem('library');
    await quickInput.fill('done handbook');
    await quickInput.expectItems(['The Handbook']);
    await quickInput.pick('The Handbook');
    await editors.waitForText('"priority": 0.8');
    await workbench.closeEditors();
  });

  variant('shows what matches a filter while it is typed, and all again', async () => {
    await tree.clickInlineAction('Resources', 'Filter…');
    await quickInput.fill('CHAPTER-1 handbook');
    await waitForDescription('Resources', '“CHAPTER-1 handbook” · 11 of 1,267');
    await waitForLabels('Resources', 'chapter-1.md', 'chapter-10.md');
    await tree.clickRow('chapter-1.md');
    await editors.waitForTab('chapter-1.md');
    await waitForDescription('Resources', '“CHAPTER-1 handbook” · 11 of 1,267');
    await quickInput.accept();
    await quickInput.waitForEnd();
    await waitForDescription('Resources', '“CHAPTER-1 handbook” · 11 of 1,267');
    await tree.clickInlineAction('Resources', 'Clear Filter');
    await waitForDescription('Resources', '1,267');
    await waitForLabels('Resources', 'demo://archive/2024', 'file:///srv/handbook');
  });

  variant('filters by keyboard alone, and Escape takes it back', async () => {
    await workbench.runCommand('MCP Host: Filter…');
    await quickInput.pick('Tools');
    await quickInput.expectTitle(/Filter Tools of library/);
    await quickInput.fill('no such thing');
    await waitForLabels('Tools', 'Nothing matches “no such thing”');
    await quickInput.cancel();
    await quickInput.waitForEnd();
    await waitForLabels('Tools', 'lend', 'return');
    await tree.collapse('Tools');
  });

  variant('shows a long list in parts', async () => {
    await workbench.runCommand('MCP Host: View Resources as List');
    await waitForLabels('Resources', 'The Handbook');
    await waitForDescription('odd', 'file:///srv/handbook/caf%C3%A9/odd.txt');
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
    await waitForDescription('demo://archive/2024', '1,234');
  });
});

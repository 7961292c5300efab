// What is done with resources: templates, search over all servers, parts, watching and comparing, saving, the chat.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { scripted } from './support/servers.ts';
import { variant } from './support/variant.ts';
import { openWorkbench, patienceMs, until } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('Documents of resources', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          documents: scripted('documents.mjs'),
          archive: scripted('documents.mjs', { RESOURCES: '20000' }),
        },
      },
    });
    await workbench.tree.show();
    await workbench.extension.waitForServer('documents', 'ready');
    await workbench.extension.waitForServer('archive', 'ready');
    await workbench.tree.expand('documents', 'Resources');
  });

  after(() => workbench.close());

  const titles = (name: string) =>
    until(
      `the document ${name}`,
      () => workbench.editors.titles(),
      (names) => names.includes(name),
    );
  const closeEditors = async () => {
    await workbench.runCommand('View: Close All Editors');
    await until(
      'no document',
      () => workbench.editors.titles(),
      ({ length }) => length === 0,
    );
  };
  const description = (label: string, part: string) =>
    workbench.tree.waitForRows(`${label} with "${part}"`, (rows) =>
      rows.some((row) => row.label === label && row.description.includes(part)),
    );

  it('RES-05, RES-06, COMP-03: a template asks for its variables with suggestions, and shows the URI', async () => {
    const { quickInput } = workbench;
    await workbench.tree.expand('Templates');
    await workbench.tree.row('Row of a Table').click();
    await quickInput.expectTitle(/\(1\/3\)/);
    await quickInput.waitForItems('tables', (items) => items.includes('countries'));
    await workbench.screenshot('template-first-step');
    await quickInput.pick('cities');
    await quickInput.expectTitle(/\(2\/3\)/);
    await quickInput.waitForItems('rows of that table', (items) => items.includes('lisbon'));
    await quickInput.fill('lon');
    // The suggestions for what was typed before go with the answer to what is typed now.
    await quickInput.waitForItems(
      'what fits',
      (items) => items.includes('london') && !items.includes('lisbon'),
    );
    await workbench.screenshot('template-second-step');
    await quickInput.pick('london');
    await quickInput.expectTitle(/\(3\/3\)/);
    await quickInput.fill('name, size');
    await quickInput.waitForItems('the value', (items) => items.includes('name, size'));
    await quickInput.accept();
    await quickInput.waitForItems('the choices', (items) => items.includes('Change Values'));
    await until(
      'the URI',
      () => workbench.page.locator('.quick-input-widget:visible').innerText(),
      (text) => text.includes('demo://tables/cities/rows/london?columns=name&columns=size'),
    );
    await workbench.screenshot('template-uri');
    await quickInput.pick('Open');
    await titles('london.json');
    await workbench.editors.waitForText('"query": "?columns=name&columns=size"');
  });

  variant('offers the URIs that were made from a template before', async () => {
    const { quickInput } = workbench;
    await closeEditors();
    await workbench.tree.row('Row of a Table').click();
    await quickInput.waitForItems('the URI of before', (items) =>
      items.includes('demo://tables/cities/rows/london?columns=name&columns=size'),
    );
    await workbench.screenshot('template-recent');
    await quickInput.pick('demo://tables/cities/rows/london?columns=name&columns=size');
    await titles('london.json');
  });

  variant('says what is wrong with a template that is none', async () => {
    await workbench.tree.row('Broken Template').click();
    const text = await workbench.notifications.waitFor('URI template');
    await workbench.screenshot('template-broken');
    assert.match(text, /^MCP server "documents": The URI template "demo:\/\/broken\/\{id/);
    await workbench.notifications.clear();
  });

  variant(
    'VSC-07, RES-02: finds a resource among 20,000 of several servers, what was opened lately first',
    async () => {
      const { quickInput } = workbench;
      await workbench.runCommand('MCP Host: Go to Resource…');
      await quickInput.waitForItems(
        'what was opened lately',
        ([first = '']) => first === 'demo://tables/cities/rows/london?columns=name&columns=size',
      );
      await workbench.screenshot('search-recent');
      await quickInput.fill('archive-19');
      await until(
        'how many there are',
        () => workbench.page.locator('.quick-input-widget:visible').innerText(),
        (text) => text.includes('The first 200 of 1,111'),
      );
      await workbench.screenshot('search-many');
      await quickInput.fill('19999 archive');
      await quickInput.waitForItems(
        'the one that is meant',
        (items) => items.length === 1 && items[0] === 'archive-19999.txt',
      );
      await quickInput.cancel();
    },
  );

  variant('RES-03: shows every part of a read, and opens and saves one of them', async () => {
    await closeEditors();
    await workbench.tree.row('Album').click();
    await titles('album.parts.md');
    await workbench.editors.waitForText('Part 3: `facts.json`');
    await workbench.editors.waitForText('A blue square.');
    const lenses = workbench.page.locator('.part.editor .codelens-decoration a');
    await until(
      'the actions of the parts',
      () => lenses.allInnerTexts(),
      (texts) => texts.filter((text) => text.includes('Save As')).length === 3,
    );
    await workbench.screenshot('resource-parts');
    await lenses.filter({ hasText: 'Open' }).nth(1).click({ timeout: patienceMs });
    await until(
      'the picture’s size in the status bar',
      () => workbench.statusBar.texts(),
      (items) => items.some((item) => item.includes('64x64')),
    );
    await workbench.screenshot('resource-part-image');
    // The picture has the keyboard, in a frame of its own.
    await workbench.tree.row('Journal').click();
    await titles('today.md');
  });

  variant(
    'VSC-10: a watched resource has a badge once it has changed, and is compared with what it was',
    async () => {
      await closeEditors();
      await workbench.tree.chooseInMenu('Journal', 'Watch Resource');
      await description('Journal', 'watched');
      await callTool('write');
      await description('Journal', 'changed');
      await until(
        'the badge',
        // The editor draws it by its style sheet.
        () =>
          workbench.page.evaluate(
            `[...document.querySelectorAll('.sidebar .monaco-list-row *')]
            .map((element) => getComputedStyle(element, '::after').content).join(' ')`,
          ),
        (contents) => String(contents).includes('●'),
      );
      await closeEditors();
      await workbench.screenshot('resource-changed');
      await workbench.tree.chooseInMenu('Journal', 'Compare with Previous');
      await until(
        'the comparison',
        () => workbench.page.locator('.part.editor .tabs-container .tab').allInnerTexts(),
        (names) => names.some((name) => name.includes('Journal: before ↔ now')),
      );
      await until(
        'both versions',
        () =>
          workbench.page.locator('.part.editor .monaco-diff-editor .view-lines').allInnerTexts(),
        (texts) =>
          texts.some((text) => text.replaceAll('\u00a0', ' ').includes('Entry 2: the tide')),
      );
      await workbench.screenshot('resource-compare');
      await description('Journal', 'watched');
    },
  );

  variant('VSC-10: an open document follows its resource, and is no news', async () => {
    await closeEditors();
    await workbench.tree.row('Journal').click();
    await workbench.editors.waitForText('Entry 2: the tide');
    await callTool('write');
    await workbench.tree.row('Journal').click();
    await workbench.editors.waitForText('Entry 3: the tide');
    await description('Journal', 'watched');
    await workbench.tree.chooseInMenu('Journal', 'Stop Watching');
    await workbench.tree.waitForRows('Journal without a word', (rows) =>
      rows.some((row) => row.label === 'Journal' && !row.description.includes('watched')),
    );
  });

  /** Runs a tool of the first server by hand, whose result is text. */
  async function callTool(name: string): Promise<void> {
    await startTool(name);
    await until(
      'the result',
      () => workbench.editors.titles(),
      (names) => names.includes(`${name}.md`),
    );
  }

  async function startTool(name: string): Promise<void> {
    const { quickInput } = workbench;
    await workbench.runCommand('MCP Host: Run Tool…');
    await quickInput.waitForItems('the tools', (items) => items.includes(name));
    await quickInput.pick(name);
    await workbench.dialog.expect(`Run "${name}"`);
    await workbench.dialog.answer('Run');
  }

  variant(
    'TOOL-08, VSC-25: a link on the page of a result opens its resource like any other',
    async () => {
      const { quickInput } = workbench;
      await closeEditors();
      await startTool('find');
      const page = await workbench.editors.webview('Resource link');
      await workbench.screenshot('result-links');
      await page.getByText('Lost Report', { exact: true }).click({ timeout: patienceMs });
      await workbench.notifications.waitFor('No such resource');
      await workbench.notifications.clear();
      await page.getByText('Found Album', { exact: true }).click({ timeout: patienceMs });
      await titles('album.parts.md');
      await workbench.editors.waitForText('Part 3: `facts.json`');
      await workbench.runCommand('MCP Host: Go to Resource…');
      await quickInput.waitForItems('what was opened last', ([first]) => first === 'Album');
      await quickInput.cancel();
    },
  );

  variant('copies the URI, and saves the bytes as they came', async () => {
    await workbench.tree.chooseInMenu('Journal', 'Copy URI');
    await until(
      'the URI on the clipboard',
      () => workbench.clipboard(),
      (text) => text === 'demo://journal/today.md',
    );
    await workbench.tree.chooseInMenu('Journal', 'Save As…');
    const { quickInput } = workbench;
    await until(
      'the name of the file',
      () => quickInput.value(),
      (text) => text.endsWith('today.md'),
    );
    await workbench.screenshot('resource-save');
    const target = path.join(workbench.folder, 'kept.md');
    await quickInput.fill(target);
    await until(
      'the file',
      async () => {
        if (await workbench.page.locator('.quick-input-widget:visible').isVisible()) {
          await workbench.page.keyboard.press('Enter');
        }
        return existsSync(target);
      },
      (exists) => exists,
    );
    await workbench.notifications.waitFor('Saved as kept.md');
    assert.match(await readFile(target, 'utf8'), /^Entry 1: the tide came in\.\nEntry 2/);
    await workbench.notifications.clear();
  });

  it('HOST-15, PROM-05, RES-09: the preview of a prompt says what is not for the model', async () => {
    const { quickInput } = workbench;
    await closeEditors();
    await workbench.runCommand('MCP Host: Attach Prompt or Resource…');
    await quickInput.fill('summary documents');
    await quickInput.waitForItems('the prompt', ([first]) => first === 'Summary');
    await workbench.screenshot('attach-search');
    await quickInput.pick('Summary');
    await quickInput.waitForItems('the choices', (items) => items.includes('Use in Chat'));
    await until(
      'how many are left out',
      () => workbench.page.locator('.quick-input-widget:visible').innerText(),
      (text) => text.includes('1 of 4 messages'),
    );
    await workbench.editors.waitForText('Not for the model');
    await workbench.screenshot('prompt-left-out');
    await quickInput.pick('Open as Document');
    await quickInput.waitForEnd();
  });

  variant(
    'TOOL-08, VSC-25: a link in a prompt opens its resource like any other, and what is embedded as its copy',
    async () => {
      const follow = (text: string, document: string) =>
        until(
          `${document} by its link`,
          async () => {
            const names = await workbench.editors.titles();
            if (!names.includes(document)) {
              // A link that is drawn anew at this moment loses the click.
              await workbench.page
                .locator('.part.editor .detected-link')
                .filter({ hasText: text })
                .first()
                .click({ modifiers: ['ControlOrMeta'], timeout: 3_000 })
                .catch(() => undefined);
              // On a busy machine the editor does not see in time that the key is held: its hover has the link, too.
              await workbench.page
                .locator('.monaco-hover:visible')
                .getByText('Open Resource')
                .first()
                .click({ timeout: 1_000 })
                .catch(() => undefined);
            }
            return names;
          },
          (names) => names.includes(document),
        );
      await workbench.editors.waitForText('demo://found/note.md');
      await workbench.screenshot('prompt-links');
      // Else the next document takes its place.
      await workbench.runCommand('View: Keep Editor');
      await follow('demo://reports/album', 'album.parts.md');
      await workbench.editors.waitForText('Part 3: `facts.json`');
      await workbench.runCommand('View: Close Editor');
      await workbench.editors.waitForText('demo://found/note.md');
      await follow('demo://found/note.md', '4-note.md');
      await workbench.editors.waitForText('# Found');
      await closeEditors();
    },
  );

  variant(
    'VSC-09: is added to the editor’s chat, unless the server means it for people',
    async () => {
      const attached = workbench.page.locator('.chat-attached-context');
      await workbench.tree.chooseInMenu('Journal', 'Add to Chat');
      await attached.getByText('today.md').first().waitFor({ timeout: patienceMs });
      await workbench.screenshot('resource-in-chat');
      await workbench.tree.chooseInMenu('Diary', 'Add to Chat');
      const { detail } = await workbench.dialog.expect(
        /MCP server "documents" says that this resource is for you/,
      );
      await workbench.screenshot('resource-for-people');
      assert.match(detail, /Diary/);
      await workbench.dialog.answer('Cancel');
      assert.equal(await attached.getByText('diary.txt').count(), 0);
    },
  );
});

// What is done with resources: templates, search over all servers, parts, watching and comparing, saving, the chat.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { variant } from './support/variant.ts';
import { scripted } from './support/servers.ts';
import { inWindow, patienceMs, until } from './support/workbench.ts';

describe('Documents of resources', () => {
  const workbench = inWindow({
    servers: {
      documents: scripted('documents.mjs'),
      archive: scripted('documents.mjs', { RESOURCES: '20000' }),
    },
    ready: ['documents', 'archive'],
  });
  const { tree, editors, dialog, quickInput, notifications, statusBar } = workbench;

  before(() => tree.expand('documents', 'Resources'));

  const description = (label: string, part: string) =>
    tree.waitForRows(`${label} with "${part}"`, (rows) =>
      rows.some((row) => row.label === label && row.description.includes(part)),
    );

  it('RES-05, RES-06, COMP-03: a template asks for its variables with suggestions, and shows the URI', async () => {
    await tree.expand('Templates');
    await tree.clickRow('Row of a Table');
    await quickInput.expectTitle(/\(1\/3\)/);
    await quickInput.expectItem('countries');
    await quickInput.pick('cities');
    await quickInput.expectTitle(/\(2\/3\)/);
    await quickInput.expectItem('lisbon');
    await quickInput.fill('lon');
    // The suggestions for what was typed before go with the answer to what is typed now.
    await quickInput.waitForItems(
      'what fits',
      (items) => items.includes('london') && !items.includes('lisbon'),
    );
    await quickInput.pick('london');
    await quickInput.expectTitle(/\(3\/3\)/);
    await quickInput.fill('name, size');
    await quickInput.expectItem('name, size');
    await quickInput.accept();
    await quickInput.expectItem('Change Values');
    await quickInput.expectText('demo://tables/cities/rows/london?columns=name&columns=size');
    await quickInput.pick('Open');
    await editors.waitForTab('london.json');
    await editors.waitForText('"query": "?columns=name&columns=size"');
  });

  variant('offers the URIs that were made from a template before', async () => {
    await workbench.closeEditors();
    await tree.clickRow('Row of a Table');
    await quickInput.pick('demo://tables/cities/rows/london?columns=name&columns=size');
    await editors.waitForTab('london.json');
  });

  variant('says what is wrong with a template that is none', async () => {
    await tree.clickRow('Broken Template');
    const text = await notifications.waitFor('URI template');
    assert.match(text, /^MCP server "documents": The URI template "demo:\/\/broken\/\{id/);
    await notifications.clear();
  });

  variant(
    'VSC-07, RES-02: finds a resource among 20,000 of several servers, what was opened lately first',
    async () => {
      await workbench.runCommand('MCP Host: Go to Resource…');
      await quickInput.waitForItems(
        'what was opened lately',
        ([first = '']) => first === 'demo://tables/cities/rows/london?columns=name&columns=size',
      );
      await quickInput.fill('archive-19');
      await quickInput.expectText('The first 200 of 1,111');
      await quickInput.fill('19999 archive');
      await quickInput.waitForItems(
        'the one that is meant',
        (items) => items.length === 1 && items[0] === 'archive-19999.txt',
      );
      await quickInput.cancel();
    },
  );

  variant('RES-03: shows every part of a read, and opens and saves one of them', async () => {
    await workbench.closeEditors();
    await tree.clickRow('Album');
    await editors.waitForTab('album.parts.md');
    await editors.waitForText('Part 3: `facts.json`');
    await editors.waitForText('A blue square.');
    const lenses = workbench.page.locator('.part.editor .codelens-decoration a');
    await until(
      'the actions of the parts',
      () => lenses.allInnerTexts(),
      (texts) => texts.filter((text) => text.includes('Save As')).length === 3,
    );
    await lenses.filter({ hasText: 'Open' }).nth(1).click({ timeout: patienceMs });
    await until(
      'the picture’s size in the status bar',
      () => statusBar.texts(),
      (items) => items.some((item) => item.includes('64x64')),
    );
    // The picture has the keyboard, in a frame of its own.
    await tree.clickRow('Journal');
    await editors.waitForTab('today.md');
  });

  variant(
    'VSC-10: a watched resource has a badge once it has changed, and is compared with what it was',
    async () => {
      await workbench.closeEditors();
      await tree.clickRow('Journal');
      await editors.waitForTab('today.md');
      await workbench.runCommand('MCP Host: Watch Resource');
      await description('Journal', 'watched');
      await workbench.closeEditors();
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
      await workbench.closeEditors();
      await tree.chooseInMenu('Journal', 'Compare with Previous');
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
      await description('Journal', 'watched');
    },
  );

  variant('VSC-10: an open document follows its resource, and is no news', async () => {
    await workbench.closeEditors();
    await tree.clickRow('Journal');
    await editors.waitForText('Entry 2: the tide');
    await callTool('write');
    await tree.clickRow('Journal');
    await editors.waitForText('Entry 3: the tide');
    await description('Journal', 'watched');
    await workbench.runCommand('MCP Host: Stop Watching');
    await tree.waitForRows('Journal without a word', (rows) =>
      rows.some((row) => row.label === 'Journal' && !row.description.includes('watched')),
    );
  });

  /** Runs a tool of the first server by hand, whose result is text. */
  async function callTool(name: string): Promise<void> {
    await startTool(name);
    await editors.waitForText(`${name}\n`);
  }

  async function startTool(name: string): Promise<void> {
    await workbench.runCommand('MCP Host: Run Tool…');
    await quickInput.expectItem(name);
    await quickInput.pick(name);
    await dialog.expect(`Run "${name}"`);
    await dialog.answer('Run');
  }

  variant(
    'TOOL-08, VSC-25: a link on the page of a result opens its resource like any other',
    async () => {
      await workbench.closeEditors();
      await startTool('find');
      const page = await editors.webview('Resource link');
      await page.getByText('Lost Report', { exact: true }).click({ timeout: patienceMs });
      await notifications.waitFor('No such resource');
      await notifications.clear();
      await page.getByText('Found Album', { exact: true }).click({ timeout: patienceMs });
      await editors.waitForTab('album.parts.md');
      await editors.waitForText('Part 3: `facts.json`');
      await workbench.runCommand('MCP Host: Go to Resource…');
      await quickInput.waitForItems('what was opened last', ([first]) => first === 'Album');
      await quickInput.cancel();
    },
  );

  variant('copies the URI, and saves the bytes as they came', async () => {
    await tree.chooseInMenu('Journal', 'Copy URI');
    await workbench.expectClipboard(/^demo:\/\/journal\/today\.md$/);
    await tree.chooseInMenu('Journal', 'Save As…');
    await until(
      'the name of the file',
      () => quickInput.value(),
      (text) => text.endsWith('today.md'),
    );
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
    await notifications.waitFor('Saved as kept.md');
    assert.match(await readFile(target, 'utf8'), /^Entry 1: the tide came in\.\nEntry 2/);
    await notifications.clear();
  });

  it('HOST-15, PROM-05, RES-09: the preview of a prompt says what is not for the model', async () => {
    await workbench.closeEditors();
    await workbench.runCommand('MCP Host: Attach Prompt or Resource…');
    await quickInput.fill('summary documents');
    await quickInput.waitForItems('the prompt', ([first]) => first === 'Summary');
    await quickInput.pick('Summary');
    await quickInput.expectItem('Use in Chat');
    await quickInput.expectText('1 of 4 messages');
    await editors.waitForText('Not for the model');
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
            const names = await editors.titles();
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
      await editors.waitForText('demo://found/note.md');
      // Else the next document takes its place.
      await workbench.runCommand('View: Keep Editor');
      await follow('demo://reports/album', 'album.parts.md');
      await editors.waitForText('Part 3: `facts.json`');
      await workbench.runCommand('View: Close Editor');
      await editors.waitForText('demo://found/note.md');
      await follow('demo://found/note.md', '4-note.md');
      await editors.waitForText('# Found');
      await workbench.closeEditors();
    },
  );

  variant(
    'VSC-09: is added to the editor’s chat, also with others, unless the server means it for people',
    async () => {
      const attached = workbench.page.locator('.chat-attached-context');
      await workbench.runCommand('MCP Host: Add to Chat');
      await quickInput.fill('journ');
      await quickInput.pick('Journal');
      await quickInput.fill('alb');
      await quickInput.pick('Album');
      assert.ok((await quickInput.items()).includes('Journal'), 'what was checked stays');
      await quickInput.accept();
      await attached.getByText('today.md').first().waitFor({ timeout: patienceMs });
      await attached.getByText('album').first().waitFor({ timeout: patienceMs });
      await tree.chooseInMenu('Diary', 'Add to Chat');
      const { detail } = await dialog.expect(
        /MCP server "documents" says that this resource is for you/,
      );
      assert.match(detail, /Diary/);
      await dialog.answer('Cancel');
      assert.equal(await attached.getByText('diary.txt').count(), 0);
      await tree.clickRow('Album');
      await tree.row('Diary').click({ modifiers: ['Control'] });
      await tree.chooseInMenu('Album', 'Add to Chat');
      await dialog.answer('Attach Anyway');
      await attached.getByText('diary.txt').first().waitFor({ timeout: patienceMs });
    },
  );
});

// What is done with documents: templates once more, parts, watching and comparing, saving, links, the chat.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { scripted } from '../support/servers.ts';
import { inWindow, patienceMs, until } from '../support/workbench.ts';

describe('Documents of resources', () => {
  const workbench = inWindow({
    servers: { documents: scripted('documents.mjs') },
    ready: ['documents'],
  });
  const { tree, editors, dialog, quickInput, notifications, statusBar } = workbench;

  before(() => tree.expand('documents', 'Resources'));

  it('offers the URIs that were made from a template before', async () => {
    const made = 'demo://tables/cities/rows/london';
    await tree.expand('Templates');
    await tree.clickRow('Row of a Table');
    await quickInput.pick('cities');
    await quickInput.pick('london');
    await quickInput.expectTitle(/\(3\/3\)/);
    await quickInput.accept();
    await quickInput.expectText(made);
    await quickInput.pick('Open');
    await editors.waitForTab('london.json');
    await workbench.closeEditors();
    await tree.clickRow('Row of a Table');
    await quickInput.pick(made);
    await editors.waitForTab('london.json');
  });

  it('RES-03: shows every part of a read, and opens and saves one of them', async () => {
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

  it('VSC-10: a watched resource has a badge once it has changed, and is compared with what it was', async () => {
    await workbench.closeEditors();
    await tree.clickRow('Journal');
    await editors.waitForTab('today.md');
    await workbench.runCommand('MCP Host: Watch Resource');
    await tree.expectRow('Journal', 'watched');
    await workbench.closeEditors();
    await workbench.chooseTool('write');
    await dialog.answer('Run', 'Run "write"');
    await editors.waitForText('write\n');
    await tree.expectRow('Journal', 'changed');
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
      () => workbench.page.locator('.part.editor .monaco-diff-editor .view-lines').allInnerTexts(),
      (texts) => texts.some((text) => text.replaceAll('\u00a0', ' ').includes('Entry 2: the tide')),
    );
    await tree.expectRow('Journal', 'watched');
    await tree.clickRow('Journal');
    await editors.waitForTab('today.md');
    await workbench.runCommand('MCP Host: Stop Watching');
    await tree.waitForRows('Journal without a word', (rows) =>
      rows.some((row) => row.label === 'Journal' && !row.description.includes('watched')),
    );
  });

  it('copies the URI, and saves the bytes as they came', async () => {
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

  it('TOOL-08, VSC-25: a link in a prompt opens its resource like any other, and what is embedded as its copy', async () => {
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
    await workbench.closeEditors();
    await workbench.runCommand('MCP Host: Attach Prompt or Resource…');
    await quickInput.fill('summary documents');
    await quickInput.pick('Summary');
    await quickInput.pick('Open as Document');
    await quickInput.waitForEnd();
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
  });

  it('VSC-09: is added to the editor’s chat, also with others, unless the server means it for people', async () => {
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
  });
});

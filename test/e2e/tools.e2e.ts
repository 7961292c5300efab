// Tools run by hand: the input box, the question before the call, progress and Cancel, and the result.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { variant } from './support/variant.ts';
import { newFile } from './support/ground.ts';
import { expectLast, expectLines, scripted } from './support/servers.ts';
import { inWindow, patienceMs, until } from './support/workbench.ts';
import { succeeds } from './support/until.ts';

describe('A tool that is run by hand', () => {
  const calls = newFile('calls.txt');
  const workbench = inWindow({
    servers: {
      showcase: scripted('showcase.mjs', { CALLS: calls, RICH: '1' }),
    },
    ready: ['showcase'],
  });
  const { tree, editors, dialog, quickInput, notifications } = workbench;

  before(() => tree.expand('showcase', 'Tools'));

  it('TOOL-04, TOOL-18: each parameter is asked for in a step, and checked while it is typed', async () => {
    await tree.clickRow('Add a Note');
    await quickInput.expectTitle(/showcase: Add a Note: text/);
    await quickInput.fill('ab');
    await quickInput.expectMessage(/Enter at least 3 characters/);
    await quickInput.fill('Buy milk');
    await quickInput.expectMessage(/\(required/);
    await quickInput.accept();
    await quickInput.expectTitle(/stars.*\(2\/2\)/);
    await quickInput.fill('many');
    await quickInput.expectMessage(/This is not a number/);
    await quickInput.enter('');
  });

  it('HOST-06, TOOL-05, TOOL-06, VSC-04: the question names server, tool and input; refused, nothing is called', async () => {
    const { message, detail, buttons } = await dialog.expect();
    assert.match(message, /"Add a Note"/);
    assert.match(message, /"showcase"/);
    assert.match(detail, /add_note/);
    assert.match(detail, /│ Keeps a note\.\n│ Its text is limited\./);
    assert.match(detail, /"text": "Buy milk"/);
    assert.ok(buttons.includes('Run'));
    await dialog.answer('Deny');
    await expectLines(calls, []);
    await editors.expect([]);
  });

  it('VSC-06, VSC-23: allowed, it is called, and its result is a page', async () => {
    await tree.clickInlineAction('Add a Note', 'Run Tool');
    await answerSteps({ text: 'Buy milk', stars: '2' });
    await dialog.answer('Run');
    const toast = workbench.page.locator('.notifications-toasts').getByText('running Add a Note');
    const isTold = succeeds(toast.waitFor({ timeout: 2_000 }));
    const text = await editors.waitForText('Kept: Buy milk');
    assert.match(text, /Add a Note\s+Success · showcase/);
    const page = await editors.webview('Kept: Buy milk');
    assert.match((await page.locator('details').textContent()) ?? '', /"stars": 2/);
    await expectLines(calls, ['add_note']);
    assert.equal(await isTold, false, 'a call that is quick');
  });

  variant('a click on its page opens the result as Markdown', async () => {
    const page = await editors.webview('Kept: Buy milk');
    await page.getByText('Open as Markdown').click({ timeout: patienceMs });
    await editors.waitForTab('add_note.md');
    await editors.waitForText('Kept: Buy milk');
  });

  variant('offers the input of the last call again, as it is or with a value changed', async () => {
    const earlier = '{"text":"Buy milk","stars":2}';
    await tree.clickInlineAction('Add a Note', 'Run Tool');
    await quickInput.expectItem(earlier);
    await quickInput.pick(earlier);
    const same = await dialog.expect();
    assert.match(same.detail, /"stars": 2/);
    await dialog.answer('Deny');
    await tree.clickInlineAction('Add a Note', 'Run Tool');
    await quickInput.expectItem(earlier);
    const row = workbench.page.locator('.quick-input-widget .monaco-list-row', {
      hasText: 'Buy milk',
    });
    await row.hover();
    await row.locator('.codicon-edit').click();
    await quickInput.expectTitle(/Review/);
    await quickInput.pick('stars');
    await quickInput.expectTitle(/stars/);
    await quickInput.enter('3');
    await quickInput.expectTitle(/Review/);
    await quickInput.accept();
    const { detail } = await dialog.expect();
    assert.match(detail, /"stars": 3/);
    await dialog.answer('Deny');
  });

  variant(
    'TOOL-04: takes dates, choices and lists, and JSON in an editor that knows the schema',
    async () => {
      const { page } = workbench;
      await tree.clickInlineAction('Book a Room', 'Run Tool');
      await quickInput.expectTitle(/day/);
      await quickInput.fill('tomorrow');
      await quickInput.expectMessage(/This is not a date/);
      await quickInput.enter('2026-12-31');
      await quickInput.expectTitle(/guests/);
      await quickInput.fill('[{"name": 1}]');
      await quickInput.expectMessage(/must be string/);
      await quickInput.fill('');
      await quickInput.clickButton('Write this value in an editor');
      await editors.waitForText('[]');
      await page.locator('.part.editor .monaco-editor .view-line').first().click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.type('{');
      const suggestion = page.locator('.suggest-widget.visible .monaco-list-row .label-name');
      await until(
        'the members of a guest',
        async () => {
          await page.keyboard.press('Control+Space');
          await suggestion
            .first()
            .waitFor({ timeout: 3_000 })
            .catch(() => undefined);
          return suggestion.allInnerTexts();
        },
        (labels) => labels.includes('name') && labels.includes('age'),
      );
      await suggestion.getByText('name', { exact: true }).click();
      await editors.waitForText('"name": ""');
      await page.keyboard.type('Ada');
      await editors.waitForText('"name": "Ada"');
      await editors.clickAction('Use Edited Text');
      await quickInput.expectTitle(/guests/);
      await quickInput.expectValue('[{"name":"Ada"}]');
      await quickInput.accept();
      await quickInput.expectTitle(/breakfast/);
      await quickInput.pick('Yes');
      await quickInput.expectTitle(/kind/);
      await quickInput.pick('single');
      await quickInput.expectTitle(/doorCode/);
      await quickInput.enter('1234');
      await dialog.answer('Run');
      await editors.waitForText('Booked:');
      await tree.clickInlineAction('Book a Room', 'Run Tool');
      const items = await quickInput.waitForItems('the earlier input', (all) =>
        all.some((label) => label.includes('Ada')),
      );
      assert.doesNotMatch(items.join(), /1234|doorCode/);
      await quickInput.pick('Edit as JSON…');
      await editors.waitForText('"guests": []');
      await editors.clickAction('Discard Edits');
    },
  );

  it('TOOL-08, TOOL-10, HOST-06: pictures are shown, sounds play, structures are tables, links open, and nothing of the server acts', async () => {
    await runWithoutInput('Tour');
    const frame = await editors.webview('Structured content');
    const cells = await frame.locator('tbody tr').allInnerTexts();
    assert.deepEqual(
      cells.map((row) => row.split(/\s+/u)),
      [
        ['Attic', '2', 'true'],
        ['<b>Cellar</b>', '1', ''],
      ],
    );
    await until(
      'a sound that can be played',
      () =>
        frame
          .locator('audio')
          .evaluateAll((sounds) => sounds.map((sound) => Number(Reflect.get(sound, 'duration')))),
      ([seconds = NaN]) => seconds > 0.05 && seconds < 1,
    );
    await until(
      'the one picture to be loaded',
      () =>
        frame
          .locator('img')
          .evaluateAll((images) => images.map((one) => Number(Reflect.get(one, 'naturalWidth')))),
      (widths) => widths.length === 1 && widths[0] === 64,
    );
    assert.deepEqual(
      (await frame.locator('a').allInnerTexts()).filter((text) => text.includes('quit')),
      [],
    );
    await frame.locator('details').last().scrollIntoViewIfNeeded();
    await frame.getByText('Save…', { exact: true }).first().click();
    const file = path.join(workbench.folder, '2.png');
    await quickInput.expectValue(file);
    await quickInput.accept();
    await until('the picture on disk', async () => existsSync(file), Boolean);
    await frame.getByText('Colours', { exact: true }).click();
    await editors.waitForText('"blue": "#0000ff"');
    await notifications.answer('Saved as 2.png', 'Open');
    await editors.waitForTab('2.png');
    await workbench.closeEditors();
  });

  variant('TOOL-13: an error that the tool reports is shown as one', async () => {
    await runWithoutInput('refuse');
    const text = await editors.waitForText('out of paper');
    assert.match(text, /reports an error/);
    assert.doesNotMatch(text, /success/);
  });

  variant(
    'TOOL-11, TOOL-12: structured output that breaks its schema is not shown as right',
    async () => {
      await runWithoutInput('weather');
      const frame = await editors.webview('Structured content');
      const text = await frame.locator('body').innerText();
      assert.match(text, /breaks the schema/);
      assert.match(text, /celsius/);
      assert.doesNotMatch(text, /success/iu);
      await workbench.closeEditors();
    },
  );

  it('VSC-24, VSC-20: progress is shown, and Cancel ends the call at the server', async () => {
    await runWithoutInput('wait');
    await until(
      'position and time',
      () => notifications.shown(),
      (texts) =>
        texts.some((text) => /showcase: running wait.*Sorting \(\d+\/100\) · \d+ s/su.test(text)),
    );
    await notifications.answer('Sorting', 'Cancel');
    await expectLast(calls, 'cancelled');
    await notifications.expect([]);
  });

  /** One step for each of them. */
  async function answerSteps(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      await quickInput.expectTitle(new RegExp(`: ${name}`, 'u'));
      await quickInput.enter(value);
    }
  }

  async function runWithoutInput(label: string): Promise<void> {
    await tree.clickInlineAction(label, 'Run Tool');
    await dialog.answer('Run');
  }
});

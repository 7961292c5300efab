// Tools run by hand: the input box, the question before the call, progress and Cancel, and the result.
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { ground } from './support/ground.ts';
import { expectLines, linesOf, published, scripted } from './support/servers.ts';
import { openWorkbench, until } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('A tool that is run by hand', () => {
  let workbench: Workbench;
  let calls: string;

  before(async () => {
    calls = path.join(await mkdtemp(path.join(ground().folder, 'calls-')), 'calls.txt');
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          showcase: scripted('showcase.mjs', { CALLS: calls }),
          everything: { ...published('server-everything', 'stdio'), startup: 'onDemand' },
        },
      },
    });
    await workbench.showServers();
    await workbench.waitForServer('showcase', 'ready');
    await workbench.expand('showcase', 'Tools');
  });

  after(() => workbench.close());

  it('TOOL-04, TOOL-18: its input is checked against its schema while it is typed', async () => {
    await workbench.clickInlineAction('Add a Note', 'Run Tool');
    const { quickInput } = workbench;
    await quickInput.expectTitle(/showcase: Add a Note/);
    await quickInput.fill('{"text": "ab"');
    await quickInput.expectMessage(/JSON/);
    await quickInput.fill('{"text": "ab"}');
    await quickInput.expectMessage(/text.*3|3.*text/s);
    await workbench.screenshot('tool-input-error');
    await quickInput.fill('{"text": "Buy milk"}');
    await quickInput.expectMessage(/Parameters/);
    await workbench.screenshot('tool-input');
    await quickInput.accept();
  });

  it('HOST-06, TOOL-05, TOOL-06, VSC-04: the question names server, tool and input; refused, nothing is called', async () => {
    const { message, detail, buttons } = await workbench.dialog();
    await workbench.screenshot('tool-confirm');
    assert.match(message, /"Add a Note"/);
    assert.match(message, /"showcase"/);
    assert.match(detail, /add_note/);
    assert.match(detail, /│ Keeps a note\.\n│ Its text is limited\./);
    assert.match(detail, /"text": "Buy milk"/);
    assert.ok(buttons.includes('Run'));
    await workbench.answerDialog('Deny');
    await expectLines(calls, []);
    await workbench.expectEditors([]);
  });

  it('VSC-06, VSC-23: allowed, it is called, and its result is a document', async () => {
    await workbench.clickInlineAction('Add a Note', 'Run Tool');
    await workbench.quickInput.expectTitle(/Add a Note/);
    await workbench.quickInput.fill('{"text": "Buy milk", "stars": 2}');
    await workbench.quickInput.accept();
    await workbench.dialog();
    await workbench.answerDialog('Run');
    const text = await workbench.waitForEditorText('Kept: Buy milk');
    await workbench.screenshot('tool-result');
    assert.match(text, /Outcome: success/);
    assert.match(text, /"stars": 2/);
    await expectLines(calls, ['add_note']);
  });

  it('TOOL-08: an image in a result is shown', async () => {
    await runWithoutInput('Draw');
    await workbench.waitForEditorText('Here it is:');
    await workbench.runCommand('Markdown: Open Preview');
    await until(
      'the picture in the preview',
      () => pictureWidths(workbench),
      (widths) => widths.includes(64),
    );
    await workbench.screenshot('tool-result-image');
  });

  it('TOOL-13: an error that the tool reports is shown as one', async () => {
    await runWithoutInput('refuse');
    const text = await workbench.waitForEditorText('out of paper');
    await workbench.screenshot('tool-result-error');
    assert.match(text, /reports an error/);
    assert.doesNotMatch(text, /success/);
  });

  it('TOOL-11, TOOL-12: structured output that breaks its schema is not shown as right', async () => {
    await runWithoutInput('weather');
    const text = await workbench.waitForEditorText('Structured content');
    await workbench.screenshot('tool-result-schema');
    assert.match(text, /breaks the schema/);
    assert.match(text, /celsius/);
    assert.doesNotMatch(text, /success/);
  });

  it('VSC-24, VSC-20: progress is shown, and Cancel ends the call at the server', async () => {
    await runWithoutInput('wait');
    await workbench.waitForNotification('Sorting');
    await workbench.screenshot('tool-progress');
    await workbench.answerNotification('Sorting', 'Cancel');
    await until(
      'the server to be told',
      () => linesOf(calls),
      (lines) => lines.at(-1) === 'cancelled',
    );
    await workbench.expectNotifications([]);
  });

  it('runs a tool of a published server from the command palette', async () => {
    await workbench.expand('everything');
    await workbench.waitForServer('everything', 'ready');
    await workbench.runCommand('MCP Host: Run Tool…');
    const { quickInput } = workbench;
    await quickInput.waitForItems('the tools', (items) => items.includes('Draw'));
    await workbench.screenshot('tool-picker');
    await quickInput.fill('Get Sum');
    await quickInput.pick('Get Sum Tool');
    await quickInput.expectTitle(/Get Sum Tool/);
    await quickInput.fill('{"a": 2, "b": 40}');
    await workbench.screenshot('tool-sum-input');
    await quickInput.accept();
    await workbench.dialog();
    await workbench.answerDialog('Run');
    await workbench.waitForEditorText('42');
  });

  async function runWithoutInput(label: string): Promise<void> {
    await workbench.clickInlineAction(label, 'Run Tool');
    await workbench.dialog();
    await workbench.answerDialog('Run');
  }
});

/** Of the pictures in the window's webviews, those that are loaded. */
async function pictureWidths({ page }: Workbench): Promise<readonly number[]> {
  const ofFrames = await Promise.all(
    page.frames().map((frame) =>
      frame
        .locator('img')
        .evaluateAll((images) => images.map((image) => Number(Reflect.get(image, 'naturalWidth'))))
        // A frame that is being replaced.
        .catch(() => []),
    ),
  );
  return ofFrames.flat();
}

// A server of revision 2026-07-28 of the official SDK: what it lists, and what its tools ask on the way.
import assert from 'node:assert/strict';
import { Chat } from './support/chat.ts';
import { scripted } from './support/servers.ts';
import { openWorkbench, until, type Workbench } from './support/workbench.ts';

describe('A server of revision 2026-07-28', () => {
  let workbench: Workbench;
  let chat: Chat;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: {
        'editor.autoClosingBrackets': 'never',
        'mcpHost.servers': { modern: scripted('sdkModern.mjs', { LEGACY: 'reject' }) },
      },
    });
    await workbench.showServers();
    await workbench.waitForServer('modern', 'ready', 30_000);
    chat = new Chat(workbench);
    await chat.open();
  });

  after(() => workbench.close());

  async function titleLike(expected: RegExp): Promise<void> {
    await until(
      `the step ${String(expected)}`,
      () => workbench.quickInput.title(),
      (title) => expected.test(title),
    );
  }

  it('DISC-02: shows what it lists, and its tooltip names revision and era', async () => {
    await workbench.expand('Tools', 'Prompts', 'Resources');
    const labels = (await workbench.rows()).map(({ label }) => label);
    for (const label of ['greet', 'ask-model', 'hello', 'note']) {
      assert.ok(labels.includes(label), `${label} is in ${labels.join(', ')}`);
    }
    const tooltip = await workbench.tooltip('modern', 'Revision');
    await workbench.screenshot('modern-tooltip');
    assert.match(tooltip, /Revision 2026-07-28 \(modern\)/);
  });

  it('MRTR-05, ELI-03, ELI-05: a tool that the model calls elicits, and gets the answer', async () => {
    await chat.send('modern_greet {}');
    await workbench.dialog();
    await workbench.answerDialog('Run');
    await titleLike(/MCP server "modern".*name/i);
    await workbench.screenshot('modern-elicits');
    await workbench.quickInput.fill('Ada');
    await workbench.quickInput.accept();
    await titleLike(/Review/);
    await workbench.quickInput.pick('Send');
    await chat.waitForAnswer('Ada');
    await workbench.screenshot('modern-elicited');
  });

  it('MRTR-16, SAM-04: a refused question ends the call, and the chat says so', async () => {
    await chat.send('modern_ask-model {}');
    await workbench.dialog();
    await workbench.answerDialog('Run');
    await until(
      'the question about the model',
      () => workbench.dialog(),
      ({ message }) => /language model/.test(message),
    );
    await workbench.screenshot('modern-samples');
    await workbench.answerDialog('Deny');
    await chat.waitForAnswer('got none');
    await workbench.screenshot('modern-refused');
  });
});

// Servers of different eras and channels look and work alike: one of revision 2026-07-28 of the official SDK, and one
// of its SDK v1 on a WebSocket. What they list, what their tools ask on the way, and where it is said what they speak.
import assert from 'node:assert/strict';
import { startAsker } from '../servers/askerOnWebSocket.ts';
import { SdkHttpServer } from '../servers/sdkHttp.ts';
import { Chat } from './support/chat.ts';
import { scripted } from './support/servers.ts';
import { variant } from './support/variant.ts';
import { openWorkbench, until, type Workbench } from './support/workbench.ts';

const spoken = {
  modern: { revision: '2026-07-28', era: 'modern', transport: 'stdio' },
  socket: { revision: '2025-11-25', era: 'legacy', transport: 'WebSocket' },
} as const;

describe('Servers of any era over any channel', () => {
  let workbench: Workbench;
  let chat: Chat;
  let asker: Awaited<ReturnType<typeof startAsker>>;

  const remote = new SdkHttpServer('modern');

  before(async () => {
    remote.isMarked = true;
    asker = await startAsker();
    workbench = await openWorkbench({
      userSettings: {
        'editor.autoClosingBrackets': 'never',
        'mcpHost.servers': {
          modern: scripted('sdkModern.mjs', { LEGACY: 'reject' }),
          socket: { url: asker.url },
          remote: { url: await remote.start() },
        },
      },
    });
    await workbench.tree.show();
    for (const name of [...Object.keys(spoken), 'remote']) {
      await workbench.extension.waitForServer(name, 'ready');
    }
    chat = new Chat(workbench);
    await chat.open();
  });

  after(async () => {
    await workbench.close();
    await asker.close();
    await remote.close();
  });

  /** Has the model call a tool, with the user's leave. */
  async function call(tool: string): Promise<void> {
    await chat.send(`${tool} {}`);
    await workbench.dialog.expect();
    await workbench.dialog.answer('Run');
  }

  variant('offers their prompts as commands of the chat', async () => {
    const wanted = Object.keys(spoken).map((name) => `/mcp.${name}.hello`);
    const labels = await chat.waitForSuggestions('/mcp.', 'the commands', (found) =>
      wanted.every((label) => found.includes(label)),
    );
    await workbench.screenshot('eras-slash-commands');
    assert.deepEqual(
      labels.filter((label) => !label.startsWith('/mcp.remote.')),
      wanted,
    );
    await chat.clear();
  });

  for (const [name, { revision, era, transport }] of Object.entries(spoken)) {
    const question = name === 'modern' ? it : variant;
    describe(`${revision} over ${transport}`, () => {
      variant('DISC-02, LIFE-05: shows what it lists', async () => {
        await workbench.tree.expand(name, 'Tools', 'Prompts', 'Resources');
        await workbench.tree.waitForRows(`what "${name}" lists`, (rows) => {
          const labels = rows.map(({ label }) => label);
          return ['greet', 'ask-model', 'hello', 'note'].every((label) => labels.includes(label));
        });
        await workbench.screenshot(`eras-${name}-tree`);
        // The groups of the next server have the same names.
        await workbench.tree.collapse(name);
      });

      variant('says in tooltip and log what is spoken, and over what', async () => {
        const tooltip = await workbench.tree.tooltip(name, 'Revision');
        await workbench.screenshot(`eras-${name}-tooltip`);
        assert.ok(tooltip.includes(`Revision ${revision} (${era})`), tooltip);
        assert.ok(tooltip.includes(transport), tooltip);
        await workbench.tree.clickInlineAction(name, 'Show Server Log');
        await until(
          'the log',
          async () => {
            const shown = await workbench.page
              .locator('.part.panel .view-lines')
              .first()
              .innerText();
            return shown.replaceAll('\u00a0', ' ');
          },
          (text) => text.includes(`(${revision}, ${era}, ${transport})`),
        );
        await workbench.screenshot(`eras-${name}-log`);
        await workbench.runCommand('View: Hide Panel');
      });

      question(
        'MRTR-05, ELI-03, ELI-05: elicits in a tool call of the chat, and gets the answer',
        async () => {
          await call(`${name}_greet`);
          await workbench.notifications.answer(`"${name}" asks for your input`, 'Answer');
          await workbench.quickInput.expectTitle(new RegExp(`MCP server "${name}".*name`, 'iu'));
          await workbench.screenshot(`eras-${name}-elicits`);
          await workbench.quickInput.fill('Ada');
          await workbench.quickInput.accept();
          await workbench.quickInput.expectTitle(/Review/);
          await workbench.quickInput.pick('Send');
          await chat.waitForAnswer('Ada');
          await workbench.screenshot(`eras-${name}-elicited`);
        },
      );

      question(
        'SAM-04, SAMP-04: samples in a tool call, and gets what the model said',
        async () => {
          await call(`${name}_ask-model`);
          await workbench.dialog.expect(/wants to use a language model/);
          await workbench.screenshot(`eras-${name}-samples`);
          await workbench.dialog.answer('Allow Once');
          await workbench.dialog.expect(/Send this answer/);
          await workbench.dialog.answer('Send');
          await chat.waitForAnswer('You said: Hi');
          await workbench.screenshot(`eras-${name}-sampled`);
        },
      );
    });
  }

  variant(
    'HDR-17: the question before a call says what goes out as HTTP headers, too',
    async () => {
      await chat.send('remote_query {"region": "eu"}');
      const { detail } = await workbench.dialog.expect();
      await workbench.screenshot('eras-headers');
      assert.match(detail, /"region": "eu"[^]*Also sent as HTTP headers, .*: region, level/u);
      await workbench.dialog.answer('Run');
      await chat.waitForAnswer('eu');
    },
  );

  variant('MRTR-16, SAM-04: a refused question ends the call, and the chat says so', async () => {
    await call('modern_ask-model');
    await workbench.dialog.expect(/language model/);
    await workbench.dialog.answer('Deny');
    await chat.waitForAnswer('got no answer');
    await workbench.screenshot('eras-refused');
  });
});

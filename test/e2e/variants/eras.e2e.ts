// Servers of different eras and channels look and work alike: one of the official SDK v1 on a WebSocket elicits and samples
// as one of revision 2026-07-28 does (chat.e2e.ts). What else the user is told of calls to that revision.
import assert from 'node:assert/strict';
import { startAsker } from '../../servers/askerOnWebSocket.ts';
import { SdkHttpServer } from '../../servers/sdkHttp.ts';
import { scripted } from '../support/servers.ts';
import { inWindow, plainTyping } from '../support/workbench.ts';

describe('Servers of any era over any channel', () => {
  const remote = new SdkHttpServer('modern');
  let asker: Awaited<ReturnType<typeof startAsker>>;
  const workbench = inWindow(async () => {
    remote.isMarked = true;
    asker = await startAsker();
    return {
      servers: {
        modern: scripted('sdkModern.mjs', { LEGACY: 'reject' }),
        socket: { url: asker.url },
        remote: { url: await remote.start() },
      },
      userSettings: plainTyping,
      ready: ['modern', 'socket', 'remote'],
    };
  });
  const { dialog, quickInput, notifications, chat } = workbench;

  before(() => chat.open());

  after(async () => {
    await asker.close();
    await remote.close();
  });

  /** Has the model call a tool, with the user's leave. */
  async function call(tool: string): Promise<void> {
    await chat.send(`${tool} {}`);
    await dialog.answer('Run');
  }

  it('ELI-03, ELI-05: elicits in a tool call of the chat, and gets the answer', async () => {
    await call('socket_greet');
    await notifications.answer('"socket" asks for your input', 'Answer');
    await quickInput.expectTitle(/MCP server "socket".*name/iu);
    await quickInput.enter('Ada');
    await quickInput.expectTitle(/Review/);
    await quickInput.pick('Send');
    await chat.waitForAnswer('Ada');
  });

  it('SAM-04, SAMP-04: samples in a tool call, and gets what the model said', async () => {
    await call('socket_ask-model');
    await dialog.answer('Allow Once', /wants to use a language model/);
    await dialog.answer('Send', /Send this answer/);
    await chat.waitForAnswer('You said: Hi');
  });

  it('HDR-17: the question before a call says what goes out as HTTP headers, too', async () => {
    await chat.send('remote_query {"region": "eu"}');
    const { detail } = await dialog.expect();
    assert.match(detail, /"region": "eu"[^]*Also sent as HTTP headers, .*: region, level/u);
    await dialog.answer('Run');
    await chat.waitForAnswer('eu');
  });

  it('MRTR-16, SAM-04: a refused question ends the call, and the chat says so', async () => {
    await call('modern_ask-model');
    await dialog.answer('Deny', /language model/);
    await chat.waitForAnswer('got no answer');
  });
});

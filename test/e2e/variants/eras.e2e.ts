// What the user is told of calls to revision 2026-07-28.
import assert from 'node:assert/strict';
import { SdkHttpServer } from '../../servers/sdkHttp.ts';
import { inWindow, plainTyping } from '../support/workbench.ts';

describe('Servers of any era over any channel', () => {
  const remote = new SdkHttpServer('modern');
  const workbench = inWindow(async () => {
    remote.isMarked = true;
    return {
      servers: {
        remote: { url: await remote.start() },
      },
      userSettings: plainTyping,
      ready: ['remote'],
    };
  });
  const { dialog, chat } = workbench;

  before(() => chat.open());

  after(() => remote.close());

  it('HDR-17: the question before a call says what goes out as HTTP headers, too', async () => {
    await chat.send('remote_query {"region": "eu"}');
    const { detail } = await dialog.expect();
    assert.match(detail, /"region": "eu"[^]*Also sent as HTTP headers, .*: region, level/u);
    await dialog.answer('Run');
    await chat.waitForAnswer('eu');
  });
});

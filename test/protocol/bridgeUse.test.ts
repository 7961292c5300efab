/** Whether somebody talks to a served server, as the editor's side has to know before it tells of a new version. */
import assert from 'node:assert/strict';
import { Server } from 'node:net';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PromptListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { lookAtRequests } from '../../src/host/requests/runningRequests.ts';
import { closedAfterTest } from '../support/closing.ts';
import { BridgedHost, editorClient, nodeServer } from '../support/bridged.ts';
import { waitUntil } from '../support/waitUntil.ts';

const showcase = fileURLToPath(new URL('../servers/showcase.mjs', import.meta.url));

describe('The bridge and its clients', () => {
  it('tells which server is in use, and when that is over', async () => {
    const ground = closedAfterTest(new BridgedHost());
    await ground.serve(nodeServer('one', [showcase]), nodeServer('two', [showcase]));
    const inUse = (): readonly boolean[] => ground.bridge.endpoints.map((one) => one.isInUse);
    // A change of before may be told only now, and what comes meanwhile is told together with it.
    let told: readonly boolean[] = [];
    ground.bridge.onDidChange(() => {
      told = inUse();
    });
    assert.deepEqual(inUse(), [false, false]);
    const { version } = ground.endpoint('two');
    const { client, transport, connect } = editorClient(ground.endpoint('two'));
    await connect();
    await waitUntil('the change', () => told[1] === true);
    assert.deepEqual(told, [false, true]);
    assert.equal(ground.endpoint('two').version, version);
    await transport.terminateSession();
    await client.close();
    await waitUntil('the change', () => told[1] === false);
    assert.deepEqual(told, [false, false]);
  });

  it('offers a server before it has started; a client that connects waits for that, and the version stays', async () => {
    const ground = closedAfterTest(new BridgedHost());
    ground.configure(nodeServer('one', [showcase]));
    await ground.bridge.start();
    const { isKnown, version } = ground.endpoint('one');
    assert.equal(isKnown, false);
    const { client, connect, transport } = editorClient(ground.endpoint('one'));
    await connect();
    assert.ok((await client.listTools()).tools.length > 0);
    await transport.terminateSession();
    await client.close();
    await waitUntil('the client to be gone', () => !ground.endpoint('one').isInUse);
    assert.equal(ground.endpoint('one').version, version);
  });

  it('is opened when it is asked for again, where no port could be had at first', async () => {
    const ground = closedAfterTest(new BridgedHost());
    const listening = mock.method(Server.prototype, 'listen', function (this: Server) {
      queueMicrotask(() => this.emit('error', new Error('too many open files')));
      return this;
    });
    try {
      await assert.rejects(ground.bridge.start(), { code: 'unreachable' });
      listening.mock.restore();
      await ground.bridge.start();
    } finally {
      listening.mock.restore();
      await ground.close();
    }
  });

  it('a server’s prompts are not listed while they are off, and clients hear of it', async () => {
    const ground = closedAfterTest(new BridgedHost());
    await ground.serve(nodeServer('one', [showcase]));
    const { client, connect } = editorClient(ground.endpoint('one'));
    let told = 0;
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => {
      told += 1;
    });
    await connect();
    assert.ok((await client.listPrompts()).prompts.length > 0);
    ground.showsPrompts = false;
    ground.promptsChanged.fire();
    await waitUntil('the notification', () => told === 1);
    assert.deepEqual((await client.listPrompts()).prompts, []);
    await client.close();
  });

  it('a call that was approved before is made without a question, once', async () => {
    const ground = closedAfterTest(new BridgedHost());
    let asked = 0;
    ground.approveTool = async ({ input }) => {
      asked += 1;
      return input;
    };
    await ground.serve(nodeServer('one', [showcase]));
    const { client, connect } = editorClient(ground.endpoint('one'));
    await connect();
    const call = { name: 'add_note', arguments: { text: 'Buy milk' } };
    // As the editor says that it is a model's.
    const ofEditor = { ...call, _meta: { 'vscode.requestId': '1' } };
    const result = { content: [{ type: 'text' as const, text: 'Made as approved' }] };
    const outcome = await ground.bridge.drawnCalls.run(
      { server: 'user/one', tool: call.name, input: call.arguments },
      async () => ({ kind: 'result', result, outputProblems: [], unchecked: [] }),
      async () => assert.deepEqual((await client.callTool(ofEditor)).content, result.content),
    );
    assert.ok(outcome.kind === 'result' && outcome.result === result);
    assert.equal(asked, 0);
    await client.callTool(ofEditor);
    assert.equal(asked, 1);
    await client.close();
  });

  it('a call that was approved for an entry does not reach the one that took its place', async () => {
    const ground = closedAfterTest(new BridgedHost());
    const sent: string[] = [];
    ground.callServices = (server) => ({
      recorded: { audit: { record: ({ event }) => void sent.push(event) }, server },
    });
    ground.approveTool = async ({ input }) => {
      ground.configure(nodeServer('one', [showcase, '--changed']));
      await ground.untilReady('one');
      return input;
    };
    await ground.serve(nodeServer('one', [showcase]));
    const { client, connect } = editorClient(ground.endpoint('one'));
    await connect();
    const call = client.callTool({ name: 'add_note', arguments: { text: 'Buy milk' } });
    await assert.rejects(call, /is no longer configured/u);
    assert.deepEqual(sent, []);
    await client.close();
  });

  it('a call of a client that the user cancels is cancelled at the server, and the client told so', async () => {
    const ground = closedAfterTest(new BridgedHost());
    await ground.serve(nodeServer('one', [showcase]));
    const { client, connect } = editorClient(ground.endpoint('one'));
    await connect();
    const ended = assert.rejects(client.callTool({ name: 'wait' }), /was cancelled by the user/u);
    const calls = () =>
      lookAtRequests(ground.host, 0).requests.filter(
        ({ request }) => request.method === 'tools/call',
      );
    await waitUntil('the call', () => calls().length === 1);
    assert.deepEqual(calls()[0]?.request.origin, { kind: 'client' });
    calls()[0]?.request.cancel();
    await ended;
    assert.deepEqual(calls(), []);
    await client.close();
  });
});

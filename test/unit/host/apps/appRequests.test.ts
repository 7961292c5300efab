import assert from 'node:assert/strict';
import { maxModelContextChars } from '../../../../src/host/apps/appRequests.ts';
import type { AppFile, AppUi } from '../../../../src/host/apps/appUi.ts';
import {
  maxAppCallsPerSecond,
  maxAppQuestionsPerMinute,
} from '../../../../src/host/toolApproval/appApprovals.ts';
import { grounds, page, tools, uri } from '../../../support/appGround.ts';
import { deferred } from '../../../support/deferred.ts';
import { untilAborted } from '../../../support/fakeSession.ts';
import { FakeAppUi } from '../../../support/fakeView.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const open = grounds();
const call = (name: string, input?: object): object => ({
  name,
  ...(input && { arguments: input }),
});

/** A view whose server answers so. */
const opened = async (...parts: Parameters<typeof open>) => {
  const ground = open(...parts);
  const server = await ground.run();
  return { ground, server, ...(await ground.open(server)) };
};

const withUi = async (more: Partial<AppUi>) => {
  const ground = open();
  ground.ui = Object.assign(new FakeAppUi(), more);
  return { ground, ...(await ground.open(await ground.run())) };
};

describe('A call of a tool by a view', () => {
  it('APP-65, APP-61, APP-77: is asked about as the app’s, recorded, and answered to it alone', async () => {
    const result = {
      content: [{ type: 'text', text: 'noon' }],
      structuredContent: { hour: 12 },
      _meta: { seconds: 3 },
    } as const;
    const sent: unknown[] = [];
    const { ground, port } = await opened({
      'tools/call': (params, { origin }) => {
        sent.push([params, origin]);
        return { ...result, resultType: 'complete' };
      },
    });
    const before = port.methods.length;
    assert.deepEqual((await port.ask(1, 'tools/call', call('poll', { a: 1 }))).result, result);
    assert.deepEqual(sent, [[{ name: 'poll', arguments: { a: 1 } }, { kind: 'app' }]]);
    assert.equal(port.methods.length, before);
    await port.ask(2, 'tools/call', call('poll', { a: 2 }));
    assert.deepEqual(
      ground.asked.asked.map(({ caller, tool }) => [caller, tool.name]),
      [['app', 'poll']],
    );
    assert.deepEqual(
      ground.asked.audit.map(({ event, caller, because }) => [event, caller, because]),
      [
        ['remembered', 'user', 'session'],
        ['approval', 'app', undefined],
        ['toolCall', 'app', undefined],
        ['approval', 'app', 'remembered'],
        ['toolCall', 'app', undefined],
      ],
    );
  });

  it('APP-65: is refused when the user refuses, without another question', async () => {
    const ground = open();
    ground.asked.answer = () => ({ kind: 'deny' });
    const { port } = await ground.open(await ground.run());
    for (const id of [1, 2]) {
      const { error } = await port.ask(id, 'tools/call', call('poll'));
      assert.equal(error?.code, -32000);
      assert.match(error.message, /The user did not allow this call/u);
    }
    assert.equal(ground.asked.asked.length, 1);
    assert.equal(ground.connector.last.count('tools/call'), 0);
  });

  for (const name of ['plan', 'none']) {
    it(`APP-12, APP-13: of "${name}" is refused: no tool of the server for apps`, async () => {
      const ground = open();
      const { port } = await ground.open(await ground.run());
      assert.equal((await port.ask(1, 'tools/call', call(name))).error?.code, -32602);
      assert.deepEqual(ground.asked.asked, []);
    });
  }

  it('APP-13: goes to its own server, whatever it names', async () => {
    const { ground, port } = await opened();
    const params = { ...call('poll'), server: 'other', _meta: { serverId: 'user/other' } };
    await port.ask(1, 'tools/call', params);
    assert.equal(ground.asked.asked[0]?.server.id, 'user/clock');
  });

  it('APP-15: is refused when the server withdraws the tool from apps', async () => {
    let listed = tools;
    const { ground, server, port } = await opened(
      { 'tools/list': () => ({ tools: listed }) },
      { tools: { listChanged: true }, resources: {} },
    );
    assert.ok((await port.ask(1, 'tools/call', call('poll'))).result);
    listed = tools.filter(({ name }) => name !== 'poll');
    ground.connector.last.change.fire({ kind: 'tools' });
    ground.clock.advance(5_000);
    await waitUntil('the new list', () => server.catalog.items('tools').length === 2);
    assert.equal((await port.ask(2, 'tools/call', call('poll'))).error?.code, -32602);
    assert.ok(port.methods.includes('notifications/tools/list_changed'));
  });

  it('APP-15: may be of a tool that the server has just announced', async () => {
    let listed = tools;
    const { ground, port } = await opened(
      { 'tools/list': () => ({ tools: listed }) },
      { tools: { listChanged: true }, resources: {} },
    );
    listed = [...tools, { name: 'fresh', inputSchema: { type: 'object' } }];
    ground.connector.last.change.fire({ kind: 'tools' });
    assert.ok((await port.ask(1, 'tools/call', call('fresh'))).result);
  });

  it('APP-65: has the input that the tool wants, or -32602', async () => {
    const inputSchema = { type: 'object', required: ['zone'] };
    const { port } = await opened({
      'tools/list': () => ({ tools: [{ name: 'poll', inputSchema }] }),
    });
    const { error } = await port.ask(1, 'tools/call', call('poll'));
    assert.equal(error?.code, -32602);
    assert.match(error.message, /zone/u);
    for (const wrong of [{ name: 7 }, { name: 'poll', arguments: [] }]) {
      assert.equal((await port.ask(2, 'tools/call', wrong)).error?.code, -32602);
    }
  });

  it('APP-65: is limited in a second', async () => {
    const { ground, port } = await opened();
    for (let id = 1; id <= maxAppCallsPerSecond; id += 1) {
      await port.ask(id, 'tools/call', call('poll'));
    }
    assert.match(
      (await port.ask(0, 'tools/call', call('poll'))).error?.message ?? '',
      /times a second/u,
    );
    ground.clock.advance(1_000);
    assert.ok((await port.ask(0, 'tools/call', call('poll'))).result);
  });

  it('APP-47, APP-79: has progress, and is cancelled with its view', async () => {
    const aborted = deferred<unknown>();
    const { port, app } = await opened({
      'tools/call': async (_params, options) => {
        options.onProgress?.({ progress: 1, message: 'half' });
        return untilAborted(options.signal).catch((error: unknown) => {
          aborted.resolve(error);
          throw error;
        });
      },
    });
    const params = { ...call('poll'), _meta: { progressToken: 't' } };
    const answer = port.ask(1, 'tools/call', params);
    await waitUntil('the progress', () => port.of('notifications/progress').length > 0);
    assert.deepEqual(port.of('notifications/progress')[0]?.params, {
      progress: 1,
      message: 'half',
      progressToken: 't',
    });
    app.dispose();
    await aborted.promise;
    assert.equal((await answer).error?.code, -32000);
  });

  for (const startup of ['manual', 'onDemand'] as const) {
    it(`APP-80: fails while its server is stopped, and works again after that: ${startup}`, async () => {
      const ground = open();
      ground.ui = Object.assign(new FakeAppUi(), { saveFile: async () => true });
      const server = await ground.run({ startup });
      const { port, app } = await ground.open(server);
      await server.stop();
      for (const [method, params] of [
        ['tools/call', call('poll')],
        ['resources/list', {}],
        ['ui/download-file', { contents: [{ type: 'resource_link', uri: 'x:/a', name: 'a' }] }],
      ] as const) {
        const { error } = await port.ask(method, method, params);
        assert.equal(error?.code, -32000);
        assert.match(error.message, /not running/u);
      }
      assert.deepEqual([server.state.kind, app.state.kind], ['stopped', 'ready']);
      await server.start();
      await server.catalog.whenLoaded();
      assert.ok((await port.ask(2, 'tools/call', call('poll'))).result);
    });
  }

  it('APP-80: does not start its server that is stopped while the user is asked', async () => {
    const ground = open();
    const server = await ground.run({ startup: 'onDemand' });
    const { port } = await ground.open(server);
    ground.asked.answer = async ({ input }) => {
      await server.stop();
      return { kind: 'allow', input, scope: 'once' };
    };
    assert.equal((await port.ask(1, 'tools/call', call('poll'))).error?.code, -32000);
    assert.equal(server.state.kind, 'stopped');
  });
});

describe('What else a view asks of its server', () => {
  it('APP-66, APP-67: is read as it is, from that server only', async () => {
    const seen: unknown[] = [];
    const { port } = await opened({
      'resources/read': (params, { origin }) => {
        seen.push([params, origin]);
        return { contents: [page] };
      },
    });
    const params = { uri: 'file:///notes.txt', _meta: { progressToken: 1 } };
    assert.deepEqual((await port.ask(1, 'resources/read', params)).result, { contents: [page] });
    assert.deepEqual(seen.at(-1), [{ uri: 'file:///notes.txt' }, { kind: 'app' }]);
    for (const [method, expected] of [
      ['resources/list', { resources: [] }],
      ['resources/templates/list', { resourceTemplates: [] }],
      ['tools/list', { tools: tools.filter(({ name }) => name !== 'plan') }],
    ] as const) {
      assert.deepEqual((await port.ask(2, method)).result, expected);
    }
  });

  for (const [method, params] of [
    ['resources/read', {}],
    ['resources/read', { uri: 7 }],
    ['resources/list', { cursor: { a: 1 } }],
    ['prompts/list', { cursor: null }],
    ['tools/list', { cursor: 1 }],
  ] as const) {
    it(`APP-41: ${method} with ${JSON.stringify(params)} does not reach the server`, async () => {
      const capabilities = { tools: {}, resources: {}, prompts: {} };
      const { ground, port } = await opened({}, capabilities);
      const before = ground.connector.last.count(method);
      assert.equal((await port.ask(1, method, params)).error?.code, -32602);
      assert.equal(ground.connector.last.count(method), before);
    });
  }

  it('APP-67: passes the cursor of a list on', async () => {
    const { ground, port } = await opened();
    let seen: unknown;
    ground.answers['resources/list'] = (params) => {
      seen = params;
      return { resources: [] };
    };
    await port.ask(1, 'resources/list', { cursor: 'next' });
    assert.deepEqual(seen, { cursor: 'next' });
  });

  it('APP-66: has a greatest size', async () => {
    const { ground, port } = await opened();
    ground.answers['resources/read'] = () => ({
      contents: [{ uri, text: 'x'.repeat(33 * 1024 * 1024) }],
    });
    assert.match((await port.ask(1, 'resources/read', { uri })).error?.message ?? '', /too large/u);
  });

  it('APP-67: lists prompts of a server that has some', async () => {
    const { port } = await opened({}, { tools: {}, resources: {}, prompts: {} });
    assert.deepEqual((await port.ask(1, 'prompts/list')).result, { prompts: [] });
  });

  it('APP-75: may be an answer of a model, where that was announced', async () => {
    const asked: unknown[] = [];
    const answer = {
      role: 'assistant',
      content: { type: 'text', text: 'Hi' },
      model: 'm',
    } as const;
    const { port } = await opened({}, undefined, {
      sampling: () => ({
        sample: async (server, request, { caller }) => {
          asked.push([server.name, request.maxTokens, caller]);
          return answer;
        },
      }),
    });
    const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }];
    const said = await port.ask(1, 'sampling/createMessage', { messages, maxTokens: 9 });
    assert.deepEqual(said.result, answer);
    assert.deepEqual(asked, [['clock', 9, 'app']]);
    assert.equal((await port.ask(2, 'sampling/createMessage', {})).error?.code, -32602);
  });

  it('APP-75: is no answer of a model where the entry of its server wants none', async () => {
    const ground = open({}, undefined, { sampling: () => assert.fail('no sampling') });
    const { port } = await ground.open(await ground.run({ sampling: false }));
    assert.equal((await port.ask(1, 'sampling/createMessage', {})).error?.code, -32601);
  });

  it('APP-68: logs go to the log of the server, marked', async () => {
    const { ground, port } = await opened();
    port.notify('notifications/message', { level: 'warning', logger: 'ui', data: 'late' });
    port.notify('notifications/message', { level: 'info', data: { a: 1 } });
    port.notify('notifications/message', { level: 'loud', data: 'no' });
    assert.deepEqual(
      ground.logs.lines.filter((line) => line.includes('[server app')),
      ['warn [server app ui] late', 'info [server app] {"a":1}'],
    );
  });
});

describe('What a view asks of the editor', () => {
  it('APP-51: is announced where it is there, with what it takes', async () => {
    const ground = open(
      {},
      { tools: { listChanged: true }, resources: {} },
      { sampling: () => ({ sample: async () => Promise.reject(new Error('no')) }) },
    );
    ground.ui = Object.assign(new FakeAppUi(), {
      message: { modalities: ['text'], add: async () => true },
      modelContext: { modalities: ['text', 'structuredContent'], set: () => undefined },
      saveFile: async () => true,
    } as const);
    const csp = { connectDomains: ['https://a.example'] };
    ground.answers['resources/read'] = () => ({ contents: [{ ...page, _meta: { ui: { csp } } }] });
    const { port } = await ground.open(await ground.run(), { granted: ['clipboardWrite'] });
    assert.deepEqual(port.sent[0]?.result?.['hostCapabilities'], {
      openLinks: {},
      logging: {},
      sandbox: { permissions: { clipboardWrite: {} }, csp },
      serverTools: { listChanged: true },
      serverResources: { listChanged: false },
      message: { text: {} },
      updateModelContext: { text: {}, structuredContent: {} },
      downloadFile: {},
      sampling: { tools: {} },
    });
  });

  it('APP-51, APP-67, APP-75: is little where little is there; what was not announced is unknown', async () => {
    const { port } = await opened();
    assert.deepEqual(port.sent[0]?.result?.['hostCapabilities'], {
      openLinks: {},
      logging: {},
      sandbox: { permissions: {} },
      serverTools: { listChanged: false },
      serverResources: { listChanged: false },
    });
    for (const method of [
      'prompts/list',
      'prompts/get',
      'completion/complete',
      'resources/subscribe',
      'logging/setLevel',
      'elicitation/create',
      'sampling/createMessage',
      'initialize',
      'ui/message',
      'ui/update-model-context',
      'ui/download-file',
      'ui/unheard-of',
    ]) {
      assert.equal((await port.ask(1, method, {})).error?.code, -32601, method);
    }
  });

  it('APP-69: links are opened when they are of the web, and the user agrees; both answers are recorded', async () => {
    const { ground, port } = await opened();
    const ask = async (url: unknown) => port.ask(1, 'ui/open-link', { url });
    assert.deepEqual((await ask('https://a.example/b?c#d')).result, {});
    for (const url of [
      'command:x',
      'file:///etc/passwd',
      'vscode://x',
      'a.example',
      '//a',
      'javascript:1',
    ]) {
      assert.deepEqual((await ask(url)).result, { isError: true }, url);
    }
    assert.equal((await ask(7)).error?.code, -32602);
    ground.ui.answer = false;
    assert.deepEqual((await ask('http://b.example')).result, { isError: true });
    assert.deepEqual(ground.ui.links, ['https://a.example/b?c#d', 'http://b.example']);
    const outcomes = ground.asked.audit.map(({ host, outcome }) => [host, outcome]);
    assert.deepEqual(outcomes, [
      ['a.example', 'allowed'],
      ['b.example', 'declined'],
    ]);
  });

  it('APP-70, APP-71: messages join the conversation, one block or many, of the kinds that it takes', async () => {
    const added: unknown[] = [];
    let isTaken = true;
    const { port } = await withUi({
      message: {
        modalities: ['text'],
        add: async (content) => {
          added.push(content);
          return isTaken;
        },
      },
    });
    const ask = async (content: unknown, role = 'user') =>
      port.ask(1, 'ui/message', { role, content });
    const text = { type: 'text', text: 'Hello' };
    assert.deepEqual((await ask([text, text])).result, {});
    assert.deepEqual((await ask(text)).result, {});
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
    assert.deepEqual((await ask([text, image])).result, { isError: true });
    assert.deepEqual(added, [[text, text], [text]]);
    isTaken = false;
    assert.deepEqual((await ask([text])).result, { isError: true });
    assert.equal((await ask([text], 'assistant')).error?.code, -32602);
    const long = { type: 'text', text: 'x'.repeat(maxModelContextChars) };
    assert.equal((await ask([long])).error?.code, -32000);
    for (const content of ['Hello', [{ type: 'text' }], [{ type: 'video' }], [7], undefined]) {
      assert.equal((await ask(content)).error?.code, -32602);
    }
  });

  it('APP-72: context for the model replaces the last, and is cleared', async () => {
    const set: unknown[] = [];
    const { port, app } = await withUi({
      modelContext: { modalities: ['text', 'structuredContent'], set: (value) => set.push(value) },
    });
    const ask = async (params: object) => port.ask(1, 'ui/update-model-context', params);
    const content = [{ type: 'text', text: 'at noon' }];
    assert.deepEqual((await ask({ content })).result, {});
    assert.deepEqual((await ask({ structuredContent: { hour: 12 } })).result, {});
    assert.deepEqual((await ask({ content: [] })).result, {});
    assert.equal((await ask({ structuredContent: 7 })).error?.code, -32602);
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
    assert.equal((await ask({ content: [image] })).error?.code, -32602);
    const text = 'x'.repeat(maxModelContextChars);
    assert.equal((await ask({ content: [{ type: 'text', text }] })).error?.code, -32000);
    app.dispose();
    assert.deepEqual(set, [{ content }, { structuredContent: { hour: 12 } }, undefined, undefined]);
  });

  it('APP-73: files are saved under clean names: contents, resources of the server, links', async () => {
    const saved: AppFile[] = [];
    let isSaved = true;
    const { ground, port } = await withUi({
      saveFile: async (file) => {
        saved.push(file);
        return isSaved;
      },
    });
    ground.answers['resources/read'] = ({ uri: asked }) => ({
      contents: [{ uri: asked, text: 'read' }],
    });
    const ask = async (...contents: readonly object[]) =>
      port.ask(1, 'ui/download-file', { contents });
    const blob = Buffer.from('bytes').toString('base64');
    const answer = await ask(
      {
        type: 'resource',
        resource: { uri: 'file:///a/..%2F..%2Freport', mimeType: 'text/csv', text: 'a,b' },
      },
      { type: 'resource', resource: { uri: 'x:/picture.png', blob } },
      { type: 'resource_link', uri: 'notes://today.md', name: 'n' },
      { type: 'resource_link', uri: 'https://a.example/file.zip', name: 'n' },
    );
    assert.deepEqual(answer.result, {});
    assert.deepEqual(
      saved.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]),
      [
        ['_.._report.csv', 'a,b'],
        ['picture.png', 'bytes'],
        ['today.md', 'read'],
      ],
    );
    assert.deepEqual(ground.ui.links, ['https://a.example/file.zip']);
    const broken = { type: 'resource_link', uri: 'https://', name: 'n' };
    assert.deepEqual((await ask(broken)).result, { isError: true });
    isSaved = false;
    const file = { type: 'resource', resource: { uri: 'x:/a', text: '' } };
    const before = saved.length;
    assert.deepEqual((await ask(file, file)).result, { isError: true });
    assert.equal(saved.length - before, 1, 'a no ends it');
    for (const contents of [
      [],
      [{ type: 'text', text: 'x' }],
      Array.from({ length: 21 }, () => file),
    ]) {
      assert.equal((await ask(...contents)).error?.code, -32602);
    }
  });

  it('HOST-08, APP-77: so many links, messages and files a minute, and no more; each question is recorded', async () => {
    let done = 0;
    const isDone = async (): Promise<boolean> => {
      done += 1;
      return true;
    };
    const message = { modalities: ['text'], add: isDone } as const;
    const { ground, port } = await withUi({ message, saveFile: isDone, openLink: isDone });
    const link = { type: 'resource_link', uri: 'https://a.example', name: 'n' };
    const file = { type: 'resource', resource: { uri: 'x:/a', text: '' } };
    const wishes = [
      ['ui/open-link', { url: 'https://a.example' }],
      ['ui/message', { role: 'user', content: { type: 'text', text: 'Hello' } }],
      ['ui/download-file', { contents: [link] }],
      ['ui/download-file', { contents: [file] }],
    ] as const;
    for (let question = 0; question < maxAppQuestionsPerMinute; question += 1) {
      const [method, params] = wishes[question % wishes.length] ?? assert.fail();
      assert.deepEqual((await port.ask(question, method, params)).result, {});
    }
    for (const [method, params] of wishes) {
      assert.match((await port.ask('more', method, params)).error?.message ?? '', /20 questions/u);
    }
    assert.equal(done, maxAppQuestionsPerMinute);
    const recorded = ground.asked.audit.map(({ event, app, method, host, outcome, by }) => ({
      is: `${event} ${app} ${method}`,
      host,
      by: `${outcome} ${by}`,
    }));
    const each = [
      { is: `appRequest ${uri} ui/open-link`, host: 'a.example' },
      { is: `appRequest ${uri} ui/message`, host: undefined },
      { is: `appRequest ${uri} ui/download-file`, host: 'a.example' },
      { is: `appRequest ${uri} ui/download-file`, host: undefined },
    ];
    assert.deepEqual(
      recorded.slice(0, wishes.length),
      each.map((one) => ({ ...one, by: 'allowed hand' })),
    );
    assert.equal(recorded.length, maxAppQuestionsPerMinute);
  });

  it('APP-62, APP-63, APP-64: a display mode is set when both sides have it, and told; the answer is the one in force', async () => {
    const ground = open();
    const hello = { appCapabilities: { availableDisplayModes: ['inline', 'pip'] } };
    const server = await ground.run();
    const { port } = await ground.open(server, { hello });
    const ask = async (mode: string, of = port) => of.ask(1, 'ui/request-display-mode', { mode });
    assert.deepEqual((await ask('fullscreen')).result, { mode: 'inline' }, 'the view has it not');
    assert.deepEqual((await ask('pip')).result, { mode: 'inline' }, 'the editor has it not');
    assert.equal((await ask('huge')).error?.code, -32602);
    const other = await ground.open(server);
    assert.deepEqual((await ask('fullscreen', other.port)).result, { mode: 'fullscreen' });
    const told = other.port.of('ui/notifications/host-context-changed').at(-1)?.params;
    assert.deepEqual(told, { displayMode: 'fullscreen' });
  });
});

describe('The views of all servers', () => {
  it('APP-81: are one for each call', async () => {
    const ground = open();
    const server = await ground.run();
    const first = await ground.open(server, { id: 'same' });
    const second = await ground.open(server, { id: 'same' });
    const third = await ground.open(server, { id: 'other' });
    assert.deepEqual(
      [first, second, third].map(({ app }) => app.state.kind),
      ['closed', 'ready', 'ready'],
    );
  });

  it('APP-80: are asked to go when their server is removed or becomes another', async () => {
    const { ground, app, port } = await opened();
    await ground.run({ elicitation: false });
    const [asked] = port.of('ui/resource-teardown');
    assert.match(String(asked?.params?.['reason']), /server was removed/u);
    port.receive({ jsonrpc: '2.0', id: asked?.id, result: {} });
    await waitUntil('the end', () => app.state.kind === 'closed');
  });

  it('APP-15, APP-80: are asked to go when the user switches apps off, or takes a site back', async () => {
    const csp = { connectDomains: ['https://a.example'] };
    const contents = [{ ...page, _meta: { ui: { csp } } }];
    const shown = async () => {
      const ground = open({ 'resources/read': () => ({ contents }) });
      const server = await ground.run();
      const resource = await ground.apps.read(server, uri, new AbortController().signal);
      await ground.shownApps.add(server.config, resource);
      return { ground, server, resource, ...(await ground.open(server)) };
    };
    const off = await shown();
    off.ground.showsAppsChanged.fire();
    assert.deepEqual(off.port.of('ui/resource-teardown'), []);
    off.ground.showsApps = false;
    off.ground.showsAppsChanged.fire();
    const back = await shown();
    // A newer page of it is shown: nothing was taken back.
    await back.ground.shownApps.add(back.server.config, { ...back.resource, hash: 'newer' });
    back.ground.showsAppsChanged.fire();
    assert.deepEqual(back.port.of('ui/resource-teardown'), []);
    const [given] = back.ground.shownApps.list();
    assert.ok(given);
    await back.ground.shownApps.revoke(given);
    for (const [{ app, port }, reason] of [
      [off, /switched apps off/u],
      [back, /taken back/u],
    ] as const) {
      const [asked] = port.of('ui/resource-teardown');
      assert.match(String(asked?.params?.['reason']), reason);
      port.receive({ jsonrpc: '2.0', id: asked?.id, result: {} });
      await waitUntil('the end', () => app.state.kind === 'closed');
    }
  });

  it('APP-52: hear of changed lists only where the server says that it tells', async () => {
    for (const told of ['tools', 'resources', 'prompts'] as const) {
      const declared = { tools: {}, resources: {}, prompts: {}, [told]: { listChanged: true } };
      const { ground, port } = await opened({}, declared);
      for (const kind of ['tools', 'resources', 'prompts'] as const) {
        ground.connector.last.change.fire({ kind });
      }
      assert.deepEqual(port.methods.slice(1), [`notifications/${told}/list_changed`]);
    }
  });

  it('APP-77: are seen by the observer of their server', async () => {
    const ground = open();
    const server = await ground.run();
    const seen: unknown[] = [];
    server.tap.observer = {
      sent: () => undefined,
      received: () => undefined,
      exchanged: () => assert.fail('no HTTP'),
      ofApp: (view, direction) => seen.push([view, direction]),
    };
    await ground.open(server, { id: 'a' });
    assert.deepEqual(seen.slice(0, 2), [
      ['a', 'fromApp'],
      ['a', 'toApp'],
    ]);
  });

  it('APP-79: end with the host', async () => {
    const { ground, app } = await opened();
    ground.apps.dispose();
    assert.equal(app.state.kind, 'closed');
    await assert.rejects(ground.apps.read(await ground.run(), uri, AbortSignal.abort()), Error);
  });
});

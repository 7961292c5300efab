/**
 * What goes through the bridge comes out as it went in: the same requests of the official SDK client,
 * once to a server and once to the bridge in front of it, lead to the same messages.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { BridgedHost, limitMs, nodeServer } from '../support/bridged.ts';
import { closedAfterTest } from '../support/closing.ts';
import { connectRaw, type RawClient } from '../support/rawClients.ts';
import { waitUntil } from '../support/waitUntil.ts';

const passing = fileURLToPath(new URL('../servers/passing.mjs', import.meta.url));
const slowLists = fileURLToPath(new URL('../servers/slowLists.mjs', import.meta.url));
const poisoned = fileURLToPath(new URL('../servers/poisoned.mjs', import.meta.url));
const sdkModern = fileURLToPath(new URL('../servers/sdkModern.mjs', import.meta.url));
type Request = readonly [method: string, params?: JsonObject, wantsProgress?: boolean];

const lists = ['prompts/list', 'resources/list', 'resources/templates/list'];

const requests: readonly Request[] = [
  ['ping'],
  ...lists.map((method): Request => [method, { cursor: 'nonsense' }]),
  ['tools/call', { name: 'everything' }],
  ['tools/call', { name: 'everything', arguments: {} }],
  ['tools/call', { name: 'failing', arguments: { a: 'b' } }],
  ['tools/call', { name: 'refused' }],
  ['tools/call', { name: 'plainError' }],
  ['tools/call', { name: 'steps' }, true],
  ['tools/call', { name: 'steps' }],
  ['tools/call', { name: 'logs' }],
  ['tools/call', { name: 'everything', _meta: { traceparent: '00-1-2-03' }, 'x-more': 1 }],
  ['prompts/get', { name: 'n1', arguments: { who: 'me' } }],
  ['prompts/get', { name: 'n1' }],
  ['prompts/get', { name: 'unknown' }],
  ['resources/read', { uri: 'x://n1' }],
  ['resources/read', { uri: 'x://missing' }],
  [
    'completion/complete',
    {
      ref: { type: 'ref/prompt', name: 'n1' },
      argument: { name: 'who', value: 'm' },
      context: { arguments: { other: 'o' } },
    },
  ],
  ['resources/subscribe', { uri: 'x://missing' }],
  ['resources/subscribe', { uri: 'x://n1' }],
  ['tools/call', { name: 'touch', arguments: { uri: 'x://n1' } }],
  ['tools/call', { name: 'touch', arguments: { uri: 'x://n1/part' } }],
  ['resources/unsubscribe', { uri: 'x://n1' }],
  ['logging/setLevel', { level: 'warning' }],
  ['tools/call', { name: 'change' }],
];

async function allPages(client: RawClient, method: string): Promise<readonly JsonObject[]> {
  const pages: JsonObject[] = [];
  let cursor: unknown;
  do {
    const page = await client.call(method, cursor === undefined ? {} : { cursor });
    pages.push(page);
    cursor = isObject(page['result']) ? page['result']['nextCursor'] : undefined;
  } while (cursor !== undefined);
  return pages;
}

function withoutTasks(_name: string, value: unknown): unknown {
  return isObject(value) && 'execution' in value ? { ...value, execution: undefined } : value;
}

/** Tokens are each side's own. */
function withoutToken({ method, params }: JsonObject): JsonObject {
  const { progressToken: _token, ...rest } = isObject(params) ? params : {};
  return { method, params: rest };
}

/** All that the server was sent, as it came. */
async function received(client: RawClient): Promise<readonly JsonObject[]> {
  const { result } = await client.call('tools/call', { name: 'received' });
  assert.ok(isObject(result) && isObject(result['structuredContent']));
  const list = result['structuredContent']['received'];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** What the tool "meta" of sdkModern.mjs was sent. */
function toldBy({ result }: JsonObject): JsonObject {
  const content: unknown = isObject(result) ? result['content'] : undefined;
  const [block]: readonly unknown[] = Array.isArray(content) ? content : [];
  assert.ok(isObject(block) && typeof block['text'] === 'string');
  const told: unknown = JSON.parse(block['text']);
  assert.ok(isObject(told));
  return told;
}

/** The parameters that the server is sent for two requests. */
async function sent(client: RawClient): Promise<unknown> {
  await client.call('tools/call', { name: 'everything', _meta: { a: 1 }, 'x-more': [2] });
  await client.call('prompts/get', { name: 'n1', arguments: { who: 'me' } });
  return (await received(client))
    .filter(({ method }) => method === 'tools/call' || method === 'prompts/get')
    .map(({ params }) => params);
}

function isOf(method: string): (notification: JsonObject) => boolean {
  return (notification) => notification['method'] === method;
}

function toolsOf(pages: readonly JsonObject[]): readonly unknown[] {
  return pages.flatMap(({ result }) => (isObject(result) ? result['tools'] : []));
}

async function open(...target: Parameters<typeof connectRaw>): Promise<RawClient> {
  return closedAfterTest(await connectRaw(...target));
}

describe('Through the bridge', function () {
  this.timeout(2 * limitMs);
  let ground: BridgedHost;
  let folder: string;
  beforeEach(async () => {
    ground = closedAfterTest(new BridgedHost());
    folder = await mkdtemp(join(tmpdir(), 'bridge-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  /** One client at the server itself, one at the bridge. */
  async function both(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly direct: RawClient; readonly bridged: RawClient }> {
    const launch = { kind: 'stdio', command: process.execPath, args, env } as const;
    await ground.serve(nodeServer('behind', args, { launch }));
    return {
      direct: await open({ command: process.execPath, args }),
      bridged: await open(ground.endpoint('behind')),
    };
  }

  it('hears of a change of the tools once it can list them, and lists again what could not be listed', async () => {
    const { bridged } = await both([slowLists]);
    const { catalog } = ground.server('behind');
    const told = (): number =>
      bridged.notifications.filter(isOf('notifications/tools/list_changed')).length;
    const names = async (): Promise<readonly unknown[]> =>
      toolsOf([await bridged.call('tools/list')]).map((tool) => isObject(tool) && tool['name']);
    assert.deepEqual(await names(), []);
    await waitUntil('another list', () => catalog.list('tools').kind === 'ready');
    assert.deepEqual(await names(), ['change']);
    const before = told();
    await bridged.call('tools/call', { name: 'change' });
    await waitUntil('the news', () => told() > before);
    assert.deepEqual(await names(), ['change', 'more']);
  });

  it('finds the capabilities and instructions of the server', async () => {
    const { direct, bridged } = await both([passing]);
    assert.deepEqual(bridged.capabilities, {
      ...(isObject(direct.capabilities) ? direct.capabilities : {}),
      // A list may change because the server is started anew, whatever it declares.
      prompts: { listChanged: true },
    });
    assert.equal(bridged.instructions, direct.instructions);
    assert.deepEqual(bridged.serverInfo, {
      name: 'behind',
      version: '3.2.1',
      description: 'Passing On',
      websiteUrl: 'https://example.com',
    });
  });

  it('gets every list page by page, with all that is in it', async () => {
    const { direct, bridged } = await both([passing]);
    for (const method of lists) {
      const pages = await allPages(bridged, method);
      assert.ok(pages.length > 1, method);
      assert.deepEqual(pages, await allPages(direct, method), method);
    }
  });

  it('TRAP-53: gets all tools at once, as approvals know them, but what they say of tasks', async () => {
    const { direct, bridged } = await both([passing]);
    const pages = await allPages(direct, 'tools/list');
    const expected: unknown = JSON.parse(JSON.stringify(toolsOf(pages), withoutTasks));
    assert.deepEqual(toolsOf([await bridged.call('tools/list')]), expected);
  });

  it('gets the tools that approvals know, whatever the server would say to a later list', async () => {
    const changed = join(folder, 'changed');
    const { bridged } = await both([poisoned], { CHANGED: changed });
    await writeFile(changed, '');
    const tools = ground.server('behind').catalog.items('tools');
    assert.match(JSON.stringify(tools), /Keeps it to itself/);
    assert.deepEqual(await bridged.call('tools/list'), { result: { tools } });
    const { error } = await bridged.call('tools/call', { name: 'friend' });
    assert.deepEqual(error, { code: -32602, message: 'Unknown tool: "friend"' });
  });

  it('gets the same results and errors, with their codes and data', async () => {
    const { direct, bridged } = await both([passing]);
    for (const [method, params, wantsProgress = false] of requests) {
      const expected = await direct.call(method, params, { wantsProgress });
      const answer = await bridged.call(method, params, { wantsProgress });
      assert.deepEqual(answer, expected, `${method} ${JSON.stringify(params)}`);
    }
  });

  it('hears of progress, logs, changed lists and resources as the server tells them', async () => {
    const { direct, bridged } = await both([passing]);
    for (const client of [direct, bridged]) {
      for (const [method, params, wantsProgress = false] of requests) {
        await client.call(method, params, { wantsProgress });
      }
      await waitUntil('the lists to change', () =>
        client.notifications.some(isOf('notifications/resources/list_changed')),
      );
    }
    const methods = [
      'notifications/progress',
      'notifications/message',
      'notifications/resources/updated',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ];
    for (const method of methods) {
      const expected = direct.notifications.filter(isOf(method)).map(withoutToken);
      assert.ok(expected.length > 0, method);
      const heard = bridged.notifications.filter(isOf(method)).map(withoutToken);
      assert.deepEqual(heard, expected, method);
    }
  });

  it('sends what the server would get without it, but no id and no token of its own', async () => {
    const { direct, bridged } = await both([passing]);
    assert.deepEqual(await sent(bridged), await sent(direct));
  });

  for (const protocol of ['modern', 'legacy'] as const) {
    it(`META-09: hands on the trace of a call, and no token, to a server of the ${protocol} era`, async () => {
      await ground.serve(nodeServer('behind', [sdkModern], { protocol }));
      const server = ground.server('behind');
      assert.ok(server.state.kind === 'ready' && server.state.server.era === protocol);
      const client = await open(ground.endpoint('behind'));
      const meta = {
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        tracestate: 'a=b',
        'example.com/note': [1],
      };
      const answer = await client.call('tools/call', { name: 'meta', arguments: {}, _meta: meta });
      assert.deepEqual(toldBy(answer), { meta });
      const params = { name: 'meta', arguments: {}, _meta: { ...meta, progressToken: 'theirs' } };
      const { progressToken, ...told } = toldBy(await client.call('tools/call', params));
      assert.deepEqual(told, { meta });
      assert.equal(typeof progressToken, 'number', 'a token of our own');
      const heard = client.notifications.filter(isOf('notifications/progress'));
      assert.deepEqual(
        heard.map((notification) => notification['params']),
        [{ progressToken: 'theirs', progress: 1 }],
      );
    });
  }

  it('keeps ids and tokens of many calls at a time apart', async () => {
    const { bridged } = await both([passing]);
    const second = await open(ground.endpoint('behind'));
    const names = Array.from({ length: 40 }, (_, index) => `name${index}`);
    const ask = async (client: RawClient): Promise<unknown> => {
      const answers = names.map((who) =>
        client.call('prompts/get', { name: who, arguments: { who } }),
      );
      return (await Promise.all(answers)).map(({ result }) =>
        isObject(result) ? result['description'] : undefined,
      );
    };
    const steps = [bridged, second].map((client) =>
      client.call('tools/call', { name: 'steps' }, { wantsProgress: true }),
    );
    assert.deepEqual(await Promise.all([ask(bridged), ask(second)]), [names, names]);
    await Promise.all(steps);
    for (const client of [bridged, second]) {
      assert.equal(client.notifications.filter(isOf('notifications/progress')).length, 2);
    }
  });

  it('goes on when the server ends and is started again', async () => {
    const pids = join(folder, 'pids');
    const { bridged } = await both([passing], { PIDS: pids });
    await bridged.call('resources/subscribe', { uri: 'x://n1' });
    const lost = await bridged.call('tools/call', { name: 'exit' });
    assert.ok(isObject(lost['error']));
    assert.match(String(lost['error']['message']), /whether it took effect is unknown/u);
    // Waits for the restart.
    const after = await bridged.call('tools/call', { name: 'failing' });
    assert.ok(isObject(after['result']));
    assert.equal((await readFile(pids, 'utf8')).trim().split('\n').length, 2);
    const told = bridged.notifications.map(({ method }) => method);
    for (const list of ['tools', 'prompts', 'resources']) {
      assert.ok(told.includes(`notifications/${list}/list_changed`), list);
    }
    assert.ok(told.includes('notifications/resources/updated'));
    assert.equal((await allPages(bridged, 'prompts/list')).length, 2);
  });

  it('says so when the server is stopped, and offers nothing of it until it runs', async () => {
    const { bridged } = await both([passing]);
    await ground.server('behind').stop();
    const { error } = await bridged.call('tools/call', { name: 'failing' });
    assert.ok(isObject(error));
    assert.equal(error['message'], 'The server "behind" is not running: start it first');
    assert.deepEqual(await bridged.call('tools/list'), { result: { tools: [] } });
    await ground.server('behind').start();
    await waitUntil(
      'the news',
      () => bridged.notifications.filter(isOf('notifications/tools/list_changed')).length >= 2,
    );
    assert.notDeepEqual(await bridged.call('tools/list'), { result: { tools: [] } });
  });

  it('HOST-10: tells clients of the tools that are on, of a change of them, and calls no other', async () => {
    const { bridged } = await both([passing]);
    const names = async (): Promise<readonly unknown[]> =>
      (await allPages(bridged, 'tools/list')).flatMap(({ result }) =>
        isObject(result) && Array.isArray(result['tools'])
          ? result['tools'].map((tool: unknown) => (isObject(tool) ? tool['name'] : undefined))
          : [],
      );
    const before = await names();
    assert.ok(before.includes('failing'));
    const { version } = ground.endpoint('behind');
    ground.toolsOff.add('failing');
    ground.toolsChanged.fire();
    await waitUntil('the news', () =>
      bridged.notifications.some(isOf('notifications/tools/list_changed')),
    );
    assert.deepEqual(
      await names(),
      before.filter((name) => name !== 'failing'),
    );
    const asked = (await received(bridged)).filter(isOf('tools/call')).length;
    const { result } = await bridged.call('tools/call', { name: 'failing' });
    assert.match(JSON.stringify(result), /switched this tool off/u);
    assert.ok(isObject(result) && result['isError'] === true);
    assert.equal((await received(bridged)).filter(isOf('tools/call')).length, asked + 1);
    assert.equal(ground.endpoint('behind').version, version, 'a client is connected');
  });
});

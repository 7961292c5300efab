import assert from 'node:assert/strict';
import { type Binding, connect } from '../../../../src/mcp/client/connect.ts';
import type { Session } from '../../../../src/mcp/session/session.ts';
import { McpError, RpcError } from '../../../../src/mcp/errors.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { listAll } from '../../../../src/mcp/client/listing.ts';
import { closedAfterTest } from '../../../support/closing.ts';
import { FakeTransport, type Responder } from '../../../support/fakeTransport.ts';
import { hello, initializeResult } from '../../../support/hello.ts';

const inputSchema = { type: 'object' };

async function sessionWith(method: string, responder: Responder) {
  const transport = new FakeTransport()
    .respond('initialize', () => initializeResult())
    .respond(method, responder);
  const binding: Binding = {
    label: 'stdio',
    wire: 'pipe',
    eras: ['legacy'],
    connect: () => transport,
  };
  const session = closedAfterTest(await connect([binding], hello(), new AbortController().signal));
  return { transport, session };
}

async function toolsOf(responder: Responder, options?: Parameters<typeof listAll>[2]) {
  const { session } = await sessionWith('tools/list', responder);
  return listAll(session, 'tools', options);
}

/** A server with `count` tools in pages of `size`, with cursors that say nothing. */
function pages(count: number, size: number): Responder {
  return ({ cursor }) => {
    const start = typeof cursor === 'string' ? Number(cursor.slice(4)) : 0;
    const end = Math.min(start + size, count);
    const tools = Array.from({ length: end - start }, (_, index) => ({
      name: `tool${start + index}`,
      description: 'A tool.',
      inputSchema,
    }));
    return end < count ? { tools, nextCursor: `cur:${end}` } : { tools };
  };
}

const refusingCursors: Responder = ({ cursor }) => {
  if (cursor !== undefined) {
    throw new RpcError(-32602, 'Invalid cursor');
  }
  return { tools: [{ name: 'a', inputSchema }], nextCursor: 'x' };
};

describe('listAll', () => {
  it('PAGE-01, PAG-02, PAGE-03: reads every page with the cursors as given', async () => {
    const { transport, session } = await sessionWith('tools/list', pages(5, 2));
    const listing = await listAll(session, 'tools');
    assert.deepEqual(
      listing.items.map(({ name }) => name),
      ['tool0', 'tool1', 'tool2', 'tool3', 'tool4'],
    );
    assert.equal(listing.truncated, undefined);
    assert.deepEqual(listing.dropped, []);
    assert.deepEqual(
      transport.sentOf('tools/list').map(({ params }) => params),
      [{}, { cursor: 'cur:2' }, { cursor: 'cur:4' }],
    );
  });

  for (const nextCursor of [null, '', undefined]) {
    it(`PAGE-02, PAG-03: ends at a cursor of ${JSON.stringify(nextCursor)}`, async () => {
      const listing = await toolsOf(() => ({ tools: [{ name: 'a', inputSchema }], nextCursor }));
      assert.equal(listing.items.length, 1);
      assert.equal(listing.truncated, undefined);
    });
  }

  it('PAGE-02: a cursor that comes again ends the list and keeps what was read', async () => {
    let page = 0;
    const listing = await toolsOf(() => {
      page += 1;
      return { tools: [{ name: `t${page}`, inputSchema }], nextCursor: page % 2 ? 'a' : 'b' };
    });
    assert.deepEqual(
      listing.items.map(({ name }) => name),
      ['t1', 't2', 't3'],
    );
    assert.equal(listing.truncated, 'page 3 points back to a page that was read');
  });

  it('PAGE-02: pages without end are ended', async () => {
    let page = 0;
    const responder = (): unknown => ({ tools: [], nextCursor: `c${(page += 1)}` });
    const listing = await toolsOf(responder);
    assert.equal(listing.truncated, 'the limit of 1000 pages was reached');
    assert.equal(page, 1_000);
  });

  it('PAGE-02: so are items without end', async () => {
    const listing = await toolsOf(pages(1000, 100), { maxItems: 250 });
    assert.equal(listing.items.length, 250);
    assert.equal(listing.truncated, 'the limit of 250 items was reached');
    const exact = await toolsOf(pages(200, 100), { maxItems: 200 });
    assert.equal(exact.truncated, undefined);
  });

  for (const what of ['items', 'cursors'] as const) {
    it(`PAGE-02: so are ${what} of any size`, async () => {
      let asked = 0;
      const large = 'x'.repeat(20_000_000);
      const account = new ServerMemory().open(70_000_000);
      const answer = (): object => {
        asked += 1;
        const description = what === 'items' ? large : '';
        // A reader without a limit shall fail here, not run out of memory.
        assert.ok(asked < 10);
        const nextCursor = what === 'items' ? `${asked}` : `${large}${asked}`;
        return { tools: [{ name: `t${asked}`, description, inputSchema }], nextCursor };
      };
      const listing = await toolsOf(answer, { memory: account });
      assert.equal(asked, 4);
      assert.equal(listing.items.length, 3);
      assert.match(listing.truncated ?? '', /^page 4 would take more memory than the .* MiB that/u);
      assert.ok(account.used > 60_000_000);
      listing.held?.set(0);
      assert.equal(account.used, 0);
    });
  }

  it('what is malformed, or left out, counts for the limit of items, too', async () => {
    let asked = 0;
    const listing = await toolsOf(
      () => {
        asked += 1;
        return { tools: Array.from({ length: 100 }, () => ({})), nextCursor: `${asked}` };
      },
      { maxItems: 250 },
    );
    assert.equal(asked, 3);
    assert.equal(listing.items.length, 0);
    assert.equal(listing.dropped.length, 250);
    assert.match(listing.truncated ?? '', /limit of 250 items/u);
  });

  it('PAGE-02: a cursor that is no text ends the list', async () => {
    const listing = await toolsOf(() => ({ tools: [{ name: 'a', inputSchema }], nextCursor: 2 }));
    assert.equal(listing.items.length, 1);
    assert.match(listing.truncated ?? '', /not a string/);
  });

  it('PAGE-03: starts once more when a cursor is refused', async () => {
    let refusals = 0;
    const all = pages(4, 2);
    const responder: Responder = (params, request) => {
      if (params['cursor'] !== undefined && refusals === 0) {
        refusals += 1;
        throw new RpcError(-32602, 'Invalid cursor');
      }
      return all(params, request);
    };
    const account = new ServerMemory().open(70_000_000);
    const listing = await toolsOf(responder, { memory: account });
    assert.deepEqual([listing.items.length, listing.truncated], [4, undefined]);
    listing.held?.set(0);
    assert.equal(account.used, 0);
  });

  it('PAGE-03: but not for ever', async () => {
    const { transport, session } = await sessionWith('tools/list', refusingCursors);
    const listing = await listAll(session, 'tools');
    assert.deepEqual(
      [listing.items.length, listing.truncated],
      [1, 'the server refused its own cursor'],
    );
    assert.equal(transport.sentOf('tools/list').length, 4);
  });

  it('a later page that fails costs that page and the rest', async () => {
    const listing = await toolsOf(({ cursor }) => {
      if (cursor !== undefined) {
        throw new RpcError(-32603, 'disk on fire');
      }
      return { tools: [{ name: 'a', inputSchema }], nextCursor: 'x' };
    });
    assert.deepEqual([listing.items.length, listing.truncated], [1, 'page 2 failed: disk on fire']);
  });

  it('a first page that fails is thrown', async () => {
    const failing = toolsOf(() => {
      throw new RpcError(-32603, 'disk on fire');
    });
    await assert.rejects(failing, { rpcCode: -32603 });
    const refused = toolsOf(() => {
      throw new RpcError(-32602, 'no params, please');
    });
    await assert.rejects(refused, { rpcCode: -32602 });
    const unknown = toolsOf(() => {
      throw new RpcError(-32601, 'Method not found');
    });
    await assert.rejects(unknown, { rpcCode: -32601 });
  });

  it('RES-05: -32601 for templates means that there are none', async () => {
    const { session } = await sessionWith('resources/templates/list', () => {
      throw new RpcError(-32601, 'Method not found');
    });
    assert.deepEqual((await listAll(session, 'resourceTemplates')).items, []);
  });

  it('can be cancelled between pages', async () => {
    const controller = new AbortController();
    const all = pages(1000, 1);
    const responder: Responder = (params, request) => {
      if (params['cursor'] === 'cur:3') {
        controller.abort();
      }
      return all(params, request);
    };
    const account = new ServerMemory().open(70_000_000);
    const listing = toolsOf(responder, { signal: controller.signal, memory: account });
    await assert.rejects(listing, { code: 'cancelled' });
    assert.equal(account.used, 0);
  });
});

describe('listAll: malformed items', () => {
  const good = { name: 'good', inputSchema };

  it('a malformed tool is left out with its reason, the rest stays', async () => {
    const listing = await toolsOf(() => ({
      tools: [
        good,
        null,
        { inputSchema, title: 'Nameless' },
        { name: 'schemaless' },
        { name: 'odd', inputSchema: 'object' },
        { name: 7, inputSchema },
        { ...good, name: 'last' },
      ],
    }));
    assert.deepEqual(
      listing.items.map(({ name }) => name),
      ['good', 'last'],
    );
    assert.deepEqual(listing.dropped, [
      { index: 1, name: undefined, reason: 'it is not an object' },
      { index: 2, name: 'Nameless', reason: 'its "name" is missing' },
      { index: 3, name: 'schemaless', reason: 'its "inputSchema" is missing' },
      { index: 4, name: 'odd', reason: 'its "inputSchema" is malformed' },
      { index: 5, name: undefined, reason: 'its "name" is malformed' },
    ]);
  });

  it('TOOL-18: a schema without `type` will do', async () => {
    const tools = [
      { name: 'a', inputSchema: {} },
      { name: 'b/c.d', inputSchema: { properties: { x: { type: ['string', 'null'] } } } },
    ];
    assert.deepEqual((await toolsOf(() => ({ tools }))).items, tools);
  });

  it('optional members of the wrong type are left out of the item; unknown ones stay', async () => {
    const listing = await toolsOf(() => ({
      tools: [
        {
          ...good,
          title: null,
          description: 7,
          annotations: [],
          outputSchema: null,
          icons: {},
          extra: null,
        },
      ],
    }));
    assert.deepEqual(listing.items, [{ ...good, extra: null }]);
    assert.deepEqual(listing.dropped, []);
  });

  it('names that objects inherit are names like others', async () => {
    const tool: unknown = JSON.parse(
      '{"name":"constructor","inputSchema":{},"__proto__":{"x":1},"toString":null}',
    );
    const listing = await toolsOf(() => ({ tools: [tool] }));
    assert.equal(listing.items[0]?.name, 'constructor');
  });

  type Case = readonly [
    Parameters<typeof listAll>[1],
    string,
    readonly object[],
    readonly string[],
  ];
  const cases: readonly Case[] = [
    [
      'prompts',
      'prompts/list',
      [
        { name: 'p', arguments: [{ name: 'a', required: true }] },
        { name: 'q', arguments: null },
        { name: 'r', arguments: [{ title: 'A' }] },
        { title: 'P' },
      ],
      ['r: its "arguments" is malformed', 'P: its "name" is missing'],
    ],
    [
      'resources',
      'resources/list',
      [
        { uri: 'a:1', name: 'A', size: '7' },
        { uri: 'a:2', name: 'B' },
        { uri: 'a:3' },
        { name: 'D' },
      ],
      ['a:3: its "name" is missing', 'D: its "uri" is missing'],
    ],
    [
      'resourceTemplates',
      'resources/templates/list',
      [
        { uriTemplate: 'a:{b}', name: 'A' },
        { uriTemplate: 'a:b', name: 'B' },
        { uriTemplate: 'a:c' },
      ],
      ['a:c: its "name" is missing'],
    ],
  ];
  for (const [list, method, items, reasons] of cases) {
    it(`the same for ${list}`, async () => {
      const { session } = await sessionWith(method, () => ({ [list]: items }));
      const listing = await listAll(session, list);
      assert.equal(listing.items.length, 2);
      assert.deepEqual(
        listing.dropped.map(({ name, reason }) => `${name}: ${reason}`),
        reasons,
      );
    });
  }

  it('other failures of a later page are thrown', async () => {
    const { transport, session } = await sessionWith('tools/list', () => ({
      tools: [good],
      nextCursor: 'x',
    }));
    const call: Session['call'] = session.call.bind(session);
    let calls = 0;
    session.call = (method, params, options) => {
      calls += 1;
      if (calls === 2) {
        transport.failNext(new McpError('unreachable', 'the host is gone'));
      }
      return call(method, params, options);
    };
    await assert.rejects(listAll(session, 'tools'), { code: 'unreachable' });
  });
});

/** The tap that holds everything the client sends against the official schemas: it hears and it objects. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp } from 'node:http';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../src/base/json.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import { type Revision, revisionsNewestFirst } from '../../src/mcp/revisions.ts';
import { HttpScripted } from '../servers/httpScripted.ts';
import { startHost, transports } from '../servers/matrix/matrixHosts.ts';
import { hello } from '../support/hello.ts';
import { tap } from '../support/wire/hooks.ts';
import { WireSchemas } from '../support/wire/wireSchemas.ts';

const schemas = new WireSchemas();
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

function request(method: string, params?: object): JsonObject {
  return { jsonrpc: '2.0', id: 1, method, ...(params && { params }) };
}
const reply = (result: unknown): JsonObject => ({ jsonrpc: '2.0', id: 1, result });
const elicit = request('elicitation/create');
const sample = request('sampling/createMessage');
const sound = { type: 'audio', data: 'eA==', mimeType: 'audio/wav' };
const spoken = reply({ role: 'assistant', model: 'm', content: sound });

describe('The wire tap', () => {
  const valid: readonly (readonly [Revision, JsonObject, JsonObject?])[] = [
    ['2024-11-05', request('tools/list')],
    ['2025-03-26', request('tools/list', {})],
    ['2025-03-26', spoken, sample],
    ['2025-06-18', reply({ action: 'decline' }), elicit],
    ['2025-11-25', reply({ roots: [{ uri: 'file:///a' }] }), request('roots/list')],
    ['2025-11-25', reply({ action: 'accept', content: { score: 9.5 } }), elicit],
    ['2025-11-25', reply({}), request('ping')],
    ['2025-11-25', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'x' } }, elicit],
    ['2026-07-28', request('server/discover', { _meta: meta })],
    ['2026-07-28', request('tasks/get', { _meta: meta, taskId: 't' })],
    ['2026-07-28', request('made-up/by-a-test')],
  ];
  for (const [revision, message, asked] of valid) {
    it(`${revision} has ${JSON.stringify(message)}`, () => {
      assert.deepEqual(schemas.problems(revision, message, asked), []);
    });
  }

  const invalid: readonly (readonly [Revision, JsonObject, JsonObject?])[] = [
    ['2024-11-05', request('tools/call', {})],
    ['2024-11-05', spoken, sample],
    ['2025-03-26', request('server/discover', { _meta: meta })],
    ['2025-06-18', request('initialize', {})],
    ['2025-06-18', reply({ action: 'maybe' }), elicit],
    ['2025-06-18', { jsonrpc: '2.0', id: null, method: 'x' }],
    ['2025-11-25', reply({ roots: [{ path: '/a' }] }), request('roots/list')],
    ['2025-11-25', { jsonrpc: '2.0', id: 1, error: { code: 'x', message: 'x' } }, elicit],
    ['2026-07-28', request('tools/list', {})],
    ['2026-07-28', request('ping', { _meta: meta })],
    ['2026-07-28', request('tasks/list', { _meta: meta })],
    ['2026-07-28', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  ];
  for (const [revision, message, asked] of invalid) {
    it(`${revision} has no ${JSON.stringify(message)}`, () => {
      assert.notDeepEqual(schemas.problems(revision, message, asked), []);
    });
  }

  it('has a schema of each revision', () => {
    for (const revision of revisionsNewestFirst) {
      const params = revision === '2026-07-28' ? { _meta: meta } : {};
      const call = request('tools/call', { ...params, name: 'x' });
      assert.deepEqual(schemas.problems(revision, call, undefined), []);
      const nameless = request('tools/call', params);
      assert.match(schemas.problems(revision, nameless, undefined).join(), /"name"/u);
    }
  });

  for (const transport of transports) {
    it(`hears what is sent over ${transport}, in the revision that was agreed on`, async () => {
      const host = await startHost(transport, '2025-06-18');
      try {
        const session = await connect([host.binding], hello(), new AbortController().signal);
        try {
          // By its answer, what opened the session has been written, too.
          await session.call('tools/call', { name: 'echo' });
          const before = tap.checked;
          await session.call('tools/call', { name: 'echo' });
          assert.equal(tap.checked - before, 1);
          assert.deepEqual(tap.takeProblems(), []);
          const bad: { name: string } = JSON.parse('{"name": 7}');
          await assert.rejects(session.call('tools/call', bad), { rpcCode: -32_602 });
          const [problem, ...more] = tap.takeProblems();
          assert.deepEqual(more, []);
          assert.match(problem ?? '', /^2025-06-18: .*"name":7/u);
        } finally {
          await session.close();
        }
      } finally {
        await host.close();
      }
    });
  }
});

/** Posts as any client would, on a connection of its own, and waits for the end of the answer. */
async function post(port: number, message: unknown, headers = {}, path = '/mcp'): Promise<void> {
  const posted = requestHttp({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers,
    agent: false,
  });
  posted.end(JSON.stringify(message));
  const [response]: IncomingMessage[] = await once(posted, 'response');
  response?.resume();
  await once(response ?? posted, 'end');
}

const refusal = reply({ no: 'roots' });
const isWrong = /^2025-11-25: .*ListRootsResult/su;

/** Asks for the roots in answer to `ask`, gives each handshake a session of its own where it is told to. */
function asker(hasSessions = false): HttpScripted {
  let sessions = 0;
  return new HttpScripted((exchange) => {
    const { method, id } = exchange.received.message;
    if (method === 'ask') {
      exchange.stream().event(request('roots/list')).end();
    } else if (method === 'initialize') {
      sessions += 1;
      exchange.json(
        { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } },
        hasSessions ? { 'mcp-session-id': `s${sessions}` } : {},
      );
    } else {
      exchange.answer(202);
    }
  });
}

async function withAsker(
  server: HttpScripted,
  use: (port: number) => Promise<void>,
): Promise<void> {
  await server.start();
  try {
    await use(server.port);
  } finally {
    await server.close();
  }
}

describe('The wire tap: whose reply it is', () => {
  const clientInfo = { name: 'x', version: '1' };
  const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const initialize = { ...request('initialize', opening), id: 'open' };
  const ask = { ...request('ask'), id: 'ask' };

  it('the first one under an id replies to what was asked, later ones to nothing', async () => {
    await withAsker(asker(), async (port) => {
      await post(port, ask);
      await post(port, refusal);
      assert.match(tap.takeProblems().join(), isWrong);
      await post(port, refusal);
    });
  });

  it('what an earlier server asked at the same port is forgotten', async () => {
    const earlier = asker();
    await earlier.start();
    const { port } = earlier;
    await post(port, ask);
    await earlier.close();
    const later = createServer((_request, response) => response.writeHead(202).end());
    later.listen(port, '127.0.0.1');
    await once(later, 'listening');
    await post(port, refusal);
    later.close();
  });

  it('a handshake begins anew, also with a server that nobody saw start', async () => {
    await withAsker(asker(), async (port) => {
      await post(port, ask);
      await post(port, initialize);
      await post(port, refusal);
    });
  });

  it('sessions of a server are told apart', async () => {
    await withAsker(asker(true), async (port) => {
      await post(port, initialize);
      await post(port, ask, { 'mcp-session-id': 's1' });
      await post(port, initialize);
      await post(port, refusal, { 'mcp-session-id': 's2' });
      assert.deepEqual(tap.takeProblems(), []);
      await post(port, refusal, { 'mcp-session-id': 's1' });
      assert.match(tap.takeProblems().join(), isWrong);
    });
  });

  it('so are streams of HTTP+SSE, by the endpoint that each names', async () => {
    const server = new HttpScripted((exchange) => {
      const { verb, path } = exchange.received;
      if (verb === 'POST' && path === '/sse') {
        exchange.stream().write('event: endpoint\ndata: posts?s=1\n\n');
        exchange.event(request('roots/list')).end();
      } else {
        exchange.answer(202);
      }
    });
    await withAsker(server, async (port) => {
      await post(port, ask, {}, '/sse');
      await post(port, refusal, {}, '/posts?s=2');
      assert.deepEqual(tap.takeProblems(), []);
      await post(port, refusal, {}, '/posts?s=1');
      assert.match(tap.takeProblems().join(), isWrong);
    });
  });

  it('an array is wrong where the revision has none', async () => {
    await withAsker(asker(), async (port) => {
      await post(port, [reply({})]);
      assert.match(tap.takeProblems().join(), /^2025-11-25: \[.*an array/su);
    });
  });
});

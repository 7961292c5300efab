/** The tap that holds everything the client sends against the official schemas: it hears and it objects. */
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import { type Revision, revisionsNewestFirst } from '../../src/mcp/revisions.ts';
import { startHost, transports } from '../servers/matrix/matrixHosts.ts';
import { closedAfterTest } from '../support/closing.ts';
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
      const host = closedAfterTest(await startHost(transport, '2025-06-18'));
      const { signal } = new AbortController();
      const session = closedAfterTest(await connect([host.binding], hello(), signal));
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
    });
  }
});

import assert from 'node:assert/strict';
import { Redactor } from '../../../../src/base/log.ts';
import { maskedJson } from '../../../../src/host/inspector/maskedText.ts';
import { MessageRecorder } from '../../../../src/host/inspector/messageRecorder.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';

const shown = (message: unknown, redactor = new Redactor()): unknown =>
  JSON.parse(maskedJson(message, redactor).text);

const next = (inputResponses: object): object => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'x', inputResponses },
});

const complete = (name: string) => ({
  method: 'completion/complete',
  params: { ref: { type: 'ref/prompt', name: 'login' }, argument: { name, value: 'abc' } },
});

function recorded() {
  const recorder = new MessageRecorder(new Redactor(), () => undefined, new ServerMemory().open());
  const last = (): unknown => {
    const seen = recorder.buffer.all().at(-1);
    return seen?.kind === 'message' ? JSON.parse(seen.text) : undefined;
  };
  return { recorder, last };
}

describe('maskedJson', () => {
  it('hides whatever is under the name of a secret, but yes and no', () => {
    assert.deepEqual(
      shown({
        password: 'abc',
        pin: 123456,
        apiKeys: ['kept: no name of a secret'],
        api_key: ['abc', 'def'],
        credentials: { user: 'me', deep: [{ value: 'abc' }] },
        secret: true,
        token: null,
        passphrase: '',
        list: [{ otp: 1 }],
      }),
      {
        password: '***',
        pin: '***',
        apiKeys: ['kept: no name of a secret'],
        api_key: '***',
        credentials: '***',
        secret: true,
        token: null,
        passphrase: '',
        list: [{ otp: '***' }],
      },
    );
  });

  it('hides credentials and cookies of HTTP in a message', () => {
    const names = [
      'authorization',
      'Authorization',
      'proxy-authorization',
      'proxyAuthorization',
      'cookie',
      'cookies',
      'set-cookie',
      'setCookie',
      'x-api-key',
    ];
    const hidden = shown(Object.fromEntries(names.map((name) => [name, ['abc']])));
    assert.deepEqual(hidden, Object.fromEntries(names.map((name) => [name, '***'])));
  });

  it('shows what the protocol calls by such names', () => {
    const message = {
      jsonrpc: '2.0',
      id: 'token',
      method: 'sampling/createMessage',
      params: {
        _meta: { progressToken: 7, 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
        cursor: 'abc',
        nextCursor: 'def',
        maxTokens: 100,
        max_tokens: 100,
        inputTokens: 5,
        tokens: 3,
        token_count: 4,
        authorization_url: 'https://a.example/',
        capabilities: {
          extensions: { 'io.modelcontextprotocol/oauth-client-credentials': { a: 1 } },
        },
        keys: ['a'],
        key: 'a',
      },
    };
    assert.deepEqual(shown(message), message);
    const progress = { method: 'notifications/progress', params: { progressToken: 'abc' } };
    assert.deepEqual(shown(progress), progress);
  });

  it('shows the schema of a secret, without the values in it', () => {
    const schema = {
      type: 'object',
      properties: {
        password: { type: 'string', minLength: 8 },
        login: {
          type: 'object',
          properties: { token: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        },
        field: { type: 'string', title: 'API key' },
      },
      $defs: { Credentials: { type: 'object', description: 'Who you are' } },
      required: ['password'],
    };
    const message = {
      result: { tools: [{ name: 'get_password', inputSchema: schema, outputSchema: schema }] },
    };
    assert.deepEqual(shown(message), message);
    assert.deepEqual(
      shown({
        requestedSchema: {
          type: 'object',
          properties: {
            password: { type: 'string', default: 'abc', examples: ['def'] },
            field: { type: 'number', title: 'PIN', default: 1234, anyOf: [{ const: 1234 }] },
            town: { type: 'string', default: 'Bern' },
            box: { type: 'object', default: { password: 'abc', a: 1 } },
          },
        },
        arguments: { properties: { password: { value: 'abc' } } },
      }),
      {
        requestedSchema: {
          type: 'object',
          properties: {
            password: { type: 'string', default: '***', examples: '***' },
            field: { type: 'number', title: 'PIN', default: '***', anyOf: [{ const: '***' }] },
            town: { type: 'string', default: 'Bern' },
            box: { type: 'object', default: { password: '***', a: 1 } },
          },
        },
        arguments: { properties: { password: '***' } },
      },
    );
  });

  it('hides the value of an argument whose name tells that it is a secret', () => {
    assert.match(JSON.stringify(shown(complete('password'))), /"value":"\*\*\*"/u);
    assert.match(JSON.stringify(shown(complete('Authorization'))), /"value":"\*\*\*"/u);
    assert.deepEqual(shown(complete('town')), complete('town'));
  });

  it('shows nothing more when it is applied again', () => {
    const message = { inputSchema: { properties: { pin: { default: 1 } } }, pin: 1, a: [{}] };
    const once = shown(message);
    assert.deepEqual(shown(once), once);
  });
});

describe('The answers of a form', () => {
  const requestedSchema = {
    type: 'object',
    properties: {
      a: { type: 'string', title: 'API key' },
      b: { type: 'string', format: 'password' },
      c: { type: 'integer', description: 'Enter your PIN' },
      town: { type: 'string' },
    },
  };
  const question = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema } };
  const answer = { action: 'accept', content: { a: 'abc', b: 'def', c: 1234, town: 'Bern' } };
  const hidden = { action: 'accept', content: { a: '***', b: '***', c: '***', town: 'Bern' } };

  it('are hidden where the schema says that they are secret, in the response', () => {
    const { recorder, last } = recorded();
    recorder.received({ jsonrpc: '2.0', id: 1, ...question }, undefined);
    recorder.clear(); // while the user types
    const response = { jsonrpc: '2.0', id: 1, result: answer };
    recorder.sent(response);
    assert.deepEqual(last(), { ...response, result: hidden });
    assert.equal(answer.content.a, 'abc', 'what is sent is not touched');
  });

  it('are hidden in the result of a task, too', () => {
    const { recorder, last } = recorded();
    recorder.received({ jsonrpc: '2.0', id: 1, ...question }, undefined);
    recorder.sent({ jsonrpc: '2.0', id: 1, result: { task: { taskId: 't' } } });
    recorder.received({ jsonrpc: '2.0', id: 2, method: 'tasks/result', params: {} }, undefined);
    recorder.sent({ jsonrpc: '2.0', id: 2, result: answer });
    assert.deepEqual(last(), { jsonrpc: '2.0', id: 2, result: hidden });
  });

  it('are hidden in the request that goes on after a question, and of a task', () => {
    for (const asked of [
      { id: 1, result: { resultType: 'input_required', inputRequests: { q: question } } },
      { method: 'notifications/tasks', params: { inputRequests: { q: question } } },
    ]) {
      const { recorder, last } = recorded();
      recorder.received({ jsonrpc: '2.0', ...asked }, undefined);
      recorder.sent(next({ q: answer }));
      assert.deepEqual(last(), next({ q: hidden }));
    }
  });

  it('are shown where they are no secrets, whatever another form asked', () => {
    const { recorder, last } = recorded();
    recorder.received({ jsonrpc: '2.0', id: 1, ...question }, undefined);
    const harmless = { requestedSchema: { properties: { a: { type: 'string' } } } };
    recorder.received({ jsonrpc: '2.0', id: 2, ...question, params: harmless }, undefined);
    const response = { jsonrpc: '2.0', id: 2, result: { action: 'accept', content: { a: 'x' } } };
    recorder.sent(response);
    assert.deepEqual(last(), response);
  });

  it('are hidden also where names and keys are longer than what is kept of them', () => {
    const { recorder, last } = recorded();
    const [name, q] = ['n'.repeat(5_000), 'q'.repeat(5_000)];
    const schema = { properties: { [name]: { type: 'string', format: 'password' } } };
    const params = { message: 'Who?', requestedSchema: schema };
    const asked = { [q]: { method: 'elicitation/create', params } };
    recorder.received({ jsonrpc: '2.0', id: 1, result: { inputRequests: asked } }, undefined);
    const given = (value: string): object =>
      next({ [q]: { action: 'accept', content: { [name]: value, town: 'Bern' } } });
    recorder.sent(given('abc'));
    assert.deepEqual(last(), given('***'));
  });

  it('cost nothing but themselves when a schema is no schema', () => {
    const { recorder, last } = recorded();
    const odd = [null, 1, [], { properties: 3 }, { properties: { a: null } }];
    for (const [id, one] of odd.entries()) {
      const params = { requestedSchema: one };
      recorder.received({ jsonrpc: '2.0', id, method: 'elicitation/create', params }, undefined);
    }
    const list = Array.from({ length: 200_000 }, () => 0);
    recorder.received(
      {
        jsonrpc: '2.0',
        id: 9,
        method: 'elicitation/create',
        params: { requestedSchema: { list } },
      },
      undefined,
    );
    const response = { jsonrpc: '2.0', id: 9, result: { action: 'decline' } };
    recorder.sent(response);
    assert.deepEqual(last(), response);
  });
});

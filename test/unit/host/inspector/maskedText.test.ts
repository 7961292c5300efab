import assert from 'node:assert/strict';
import { Redactor } from '../../../../src/base/log.ts';
import { AskedSecrets, maskedJson } from '../../../../src/host/inspector/maskedText.ts';
import { MessageRecorder } from '../../../../src/host/inspector/messageRecorder.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';

const shown = (message: unknown, redactor = new Redactor()): unknown =>
  JSON.parse(maskedJson(message, redactor).text);

const request = (params: object): object => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'x', ...params },
});

const complete = (name: string) => ({
  method: 'completion/complete',
  params: { ref: { type: 'ref/prompt', name: 'login' }, argument: { name, value: 'abc' } },
});

function recorded() {
  const recorder = new MessageRecorder(new Redactor(), () => undefined, new ServerMemory().open());
  const last = (): unknown => {
    const seen = recorder.buffer.all().at(-1);
    return seen && JSON.parse(seen.text);
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

  it('are hidden where a schema says that they are secret: in the response, in the result of a task', () => {
    const { recorder, last } = recorded();
    recorder.received({ jsonrpc: '2.0', id: 1, ...question }, undefined);
    recorder.clear(); // while the user types
    for (const id of [1, 2]) {
      const response = { jsonrpc: '2.0', id, result: answer };
      recorder.sent(response);
      assert.deepEqual(last(), { ...response, result: hidden });
    }
    assert.equal(answer.content.a, 'abc', 'what is sent is not touched');
    const other = request({ arguments: { a: 'shown', b: 'shown' } });
    recorder.sent(other);
    assert.deepEqual(last(), other);
  });

  it('are hidden in the request that goes on after a question, and of a task', () => {
    for (const asked of [
      { id: 1, result: { resultType: 'input_required', inputRequests: { q: question } } },
      { method: 'notifications/tasks', params: { inputRequests: { q: question, odd: null } } },
    ]) {
      const { recorder, last } = recorded();
      recorder.received({ jsonrpc: '2.0', ...asked }, undefined);
      recorder.sent(request({ inputResponses: { q: answer } }));
      assert.deepEqual(last(), request({ inputResponses: { q: hidden } }));
    }
  });

  it('are known by so many names, and no more', () => {
    const asked = new AskedSecrets();
    const password = { type: 'string', format: 'password' };
    const properties = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [n, password]));
    asked.received({ ...question, params: { message: 'Who?', requestedSchema: { properties } } });
    assert.equal(asked.names.size, 1_000);
  });

  it('are hidden if their name was asked again, however many were asked between', () => {
    const { recorder, last } = recorded();
    const password = { type: 'string', format: 'password' };
    const [one, two] = ['a', 'b'].map((form) =>
      Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`${form}${n}`, password])),
    );
    const asked = { pin2: password };
    for (const properties of [asked, one, asked, two]) {
      const params = { message: 'Who?', requestedSchema: { properties } };
      recorder.received({ jsonrpc: '2.0', id: 1, ...question, params }, undefined);
    }
    recorder.sent({ jsonrpc: '2.0', id: 1, result: { content: { pin2: 'abc' } } });
    assert.deepEqual(last(), { jsonrpc: '2.0', id: 1, result: { content: { pin2: '***' } } });
  });

  it('are hidden also where names are longer than what is kept of them, or a schema is no schema', () => {
    const { recorder, last } = recorded();
    const name = 'n'.repeat(5_000);
    const secret = { properties: { [name]: { type: 'string', format: 'password' } } };
    for (const schema of [secret, null, 1, [], { properties: 3 }]) {
      const params = { message: 'Who?', requestedSchema: schema };
      recorder.received({ jsonrpc: '2.0', id: 1, ...question, params }, undefined);
    }
    const given = (value: string): object => ({
      jsonrpc: '2.0',
      id: 1,
      result: { action: 'accept', content: { [name]: value, town: 'Bern' } },
    });
    recorder.sent(given('abc'));
    assert.deepEqual(last(), given('***'));
  });
});

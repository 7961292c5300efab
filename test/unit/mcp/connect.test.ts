import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Binding, connect } from '../../../src/mcp/connect.ts';
import { HttpError, McpError } from '../../../src/mcp/errors.ts';
import type { Diagnostic } from '../../../src/mcp/transport/transport.ts';
import { FakeTransport } from '../../support/fakeTransport.ts';
import { hello, initializeResult } from '../../support/hello.ts';
import { expectNoListeners, failOnLeaks } from '../../support/leaks.ts';

const { signal: never } = new AbortController();

const bindingTo = (transport: FakeTransport, label = 'stdio'): Binding => ({
  label,
  wire: 'pipe',
  eras: ['legacy'],
  connect: () => transport,
});

const answering = (): FakeTransport =>
  new FakeTransport().respond('initialize', () => initializeResult());

const stderr = (text: string): Diagnostic => ({ level: 'info', source: 'stderr', text });

describe('connect', () => {
  failOnLeaks();

  it('starts the channel, shakes hands and leaves it open', async () => {
    const transport = answering();
    const session = await connect([bindingTo(transport)], hello(), never);
    assert.deepEqual(transport.events.slice(0, 2), ['start', 'initialize']);
    assert.equal(session.server.transport, 'stdio');
    assert.equal(transport.isClosed, false);
    await session.close();
    expectNoListeners(transport);
  });

  it('LIFE-09: a handshake that does not end is a timeout that names the step', async () => {
    const transport = new FakeTransport();
    const connecting = connect([bindingTo(transport)], hello({ openMs: 20 }), never);
    await assert.rejects(connecting, {
      code: 'timeout',
      message: 'The connection was not ready within 0.02 s: the server did not answer "initialize"',
    });
    assert.equal(transport.isClosed, true);
    expectNoListeners(transport);
  });

  it('LIFE-09: so is a start that does not end', async () => {
    const transport = new FakeTransport();
    transport.start = () => new Promise(() => undefined);
    const connecting = connect([bindingTo(transport)], hello({ openMs: 20 }), never);
    await assert.rejects(connecting, { code: 'timeout', message: /stdio could not be started/ });
    assert.equal(transport.isClosed, true);
  });

  it('CANC-02: a cancelled opening drops the connection and sends no cancellation', async () => {
    const transport = new FakeTransport();
    const controller = new AbortController();
    transport.respond('initialize', () => {
      controller.abort();
      return new Promise(() => undefined);
    });
    const connecting = connect([bindingTo(transport)], hello(), controller.signal);
    await assert.rejects(connecting, { code: 'cancelled' });
    assert.deepEqual(transport.events, ['start', 'initialize', 'close']);
    await assert.rejects(connect([bindingTo(transport)], hello(), controller.signal), {
      code: 'cancelled',
    });
  });

  it('says why the channel could not be opened', async () => {
    const transport = new FakeTransport();
    transport.startError = new McpError('unreachable', '"uvx" was not found on the PATH');
    await assert.rejects(connect([bindingTo(transport)], hello(), never), {
      code: 'unreachable',
      message: '"uvx" was not found on the PATH',
    });
    assert.equal(transport.isClosed, true);
    const odd = new FakeTransport();
    odd.startError = new TypeError('odd');
    await assert.rejects(connect([bindingTo(odd)], hello(), never), { code: 'unreachable' });
  });

  it('hands out what is observed until it is open or has failed, then the session does', async () => {
    const transport = answering();
    const failing = new FakeTransport().respond('initialize', () => {
      failing.diagnose(stderr('Traceback'));
      failing.end();
    });
    const texts: string[] = [];
    const note = ({ text }: Diagnostic): unknown => texts.push(text);
    await assert.rejects(connect([bindingTo(failing)], hello(), never, note), {
      code: 'closed',
      message: /"initialize".*the process exited with code 1/,
    });
    transport.start = async () => transport.diagnose(stderr('listening'));
    const session = await connect([bindingTo(transport)], hello(), never, note);
    transport.diagnose(stderr('later'));
    assert.deepEqual(texts, ['Traceback', 'listening']);
    session.onDidDiagnose(({ text }) => texts.push(`session: ${text}`));
    assert.deepEqual(texts, ['Traceback', 'listening', 'session: later']);
    await session.close();
  });

  it('goes on to the next binding only when the server does not know the first', async () => {
    const unknown = new FakeTransport();
    unknown.failNext(new HttpError('http', 405, 'Method Not Allowed'));
    const transport = answering();
    const bindings = [bindingTo(unknown, 'Streamable HTTP'), bindingTo(transport, 'HTTP+SSE')];
    const session = await connect(bindings, hello(), never);
    assert.equal(session.server.transport, 'HTTP+SSE');
    assert.equal(unknown.isClosed, true);
    await session.close();

    const broken = new FakeTransport();
    broken.failNext(new HttpError('http', 500, 'Internal Server Error'));
    const untouched = answering();
    await assert.rejects(connect([bindingTo(broken), bindingTo(untouched)], hello(), never), {
      code: 'http',
    });
    assert.deepEqual(untouched.events, []);
  });

  it('without any binding there is no way', async () => {
    await assert.rejects(connect([], hello(), never), { code: 'invalidConfig' });
  });
});

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import {
  anyPort,
  freePort,
  withDebugger,
  attachConfiguration,
} from '../../../../src/host/launch/debugLaunch.ts';
import type { DebugSettings } from '../../../../src/host/config/serverConfig.ts';
import { isMcpError } from '../../../../src/mcp/errors.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const python = { type: 'debugpy' } as const;

/** The command line, with the port 5000. */
function line(debug: DebugSettings, command: string, ...args: readonly string[]): unknown {
  const launch = { kind: 'stdio', command, args, env: { A: 'b' } } as const;
  const server = stdioServer('notes', { launch, dev: { watch: [], debug } });
  const changed = withDebugger(server, '5000').launch;
  assert.ok(changed.kind === 'stdio');
  assert.deepEqual(changed.env, launch.env);
  return [changed.command, ...changed.args].join(' ');
}

describe('The command line for a debugger', () => {
  for (const command of ['node', '/usr/bin/node', 'C:\\node\\node.exe', '${userHome}/bin/node']) {
    it(`has ${command} listen on this machine alone, before the script`, () => {
      assert.equal(
        line({ type: 'node' }, command, 'server.js', '--x'),
        `${command} --inspect=127.0.0.1:5000 server.js --x`,
      );
    });
  }

  const listen = '-m debugpy --listen 127.0.0.1:5000';
  for (const [before, after] of [
    ['server.py --x', `${listen} server.py --x`],
    ['-m server', `${listen} -m server`],
    ['-mserver', `${listen} -mserver`],
    ['-u -X utf8 -W ignore server.py -u', `-u -X utf8 -W ignore ${listen} server.py -u`],
    ['-Xdev -c pass', `-Xdev ${listen} -c pass`],
    ['-', `${listen} -`],
  ] as const) {
    it(`has Python run debugpy for: ${before}`, () => {
      assert.equal(line(python, 'python3.12', ...before.split(' ')), `python3.12 ${after}`);
    });
  }

  it('runs the debugpy that is named in place of any command', () => {
    assert.equal(
      line({ ...python, debugpyPath: '/opt/debugpy' }, 'uv', 'server.py'),
      '/opt/debugpy --listen 127.0.0.1:5000 server.py',
    );
  });

  for (const [type, command] of [
    ['node', 'npx'],
    ['node', 'nodemon'],
    ['node', '${input:runtime}'],
    ['debugpy', 'uvx'],
    ['debugpy', 'ipython'],
  ] as const) {
    it(`is none for ${type} and ${command}, and the error says what would do`, () => {
      assert.throws(
        () => line({ type }, command, 'server'),
        (error) =>
          isMcpError(error) &&
          error.code === 'invalidConfig' &&
          /^notes: dev\.debug: needs `command` to be `(?:node|python)`/u.test(error.message),
      );
    });
  }

  it('is the same as without, where nothing is to be debugged', () => {
    const plain = stdioServer('notes', { dev: { watch: ['**'] } });
    assert.equal(withDebugger(plain, anyPort), plain);
  });

  it('gets a port that can be listened on', async () => {
    const server = createServer();
    server.listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });
});

describe('attachConfiguration', () => {
  it('is what the debuggers of Node and Python take', () => {
    const common = {
      name: 'MCP: notes',
      request: 'attach',
      internalConsoleOptions: 'neverOpen',
    };
    const node = { address: '127.0.0.1', port: 5000, continueOnAttach: true };
    const debugpy = { connect: { host: '127.0.0.1', port: 5000 } };
    for (const [type, own] of Object.entries({ node, debugpy })) {
      assert.ok(type === 'node' || type === 'debugpy');
      assert.deepEqual(attachConfiguration('notes', { type, port: 5000 }), {
        type,
        ...common,
        ...own,
      });
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fromWorkspace } from '../../../../src/host/consent/fromWorkspace.ts';
import { programsAt } from '../../../support/programs.ts';

const folder = { uri: 'file:///home/u/ws', name: 'ws', path: '/home/u/ws' };
const links = { '/home/u/bin/tool': '/home/u/ws/tool', '/mnt/ws': '/home/u/ws' };
const programs = programsAt(
  ['/usr/bin/node', '/usr/bin/npx', '/home/u/ws/node_modules/.bin/npx', '/home/u/bin/tool'],
  undefined,
  links,
);

interface Wish {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function found({ command = 'npx', args = [], cwd = '/home/u', env = {} }: Wish) {
  return fromWorkspace(
    { kind: 'stdio', command, args, cwd, env: { PATH: '/usr/bin', ...env } },
    { platform: 'posix', userHome: '/home/u', env: {}, readFile: assert.fail, programs },
    [folder],
  );
}

describe('What a server of the user takes out of a workspace', () => {
  const ws = folder.path;
  const taken: readonly (readonly [string, Wish, readonly string[]])[] = [
    ['the working directory', { args: ['-y', 'x'], cwd: ws }, [ws]],
    ['a working directory below', { cwd: `${ws}/sub` }, [`${ws}/sub`]],
    ['a working directory behind a link', { cwd: '/mnt/ws' }, ['/mnt/ws']],
    ['a program', { command: `${ws}/run.sh` }, [`${ws}/run.sh`]],
    ['a program behind a link', { command: '/home/u/bin/tool' }, ['/home/u/bin/tool']],
    [
      'a program that PATH finds there, and PATH',
      { env: { PATH: `${ws}/node_modules/.bin:/usr/bin` } },
      [`${ws}/node_modules/.bin/npx`, `${ws}/node_modules/.bin`],
    ],
    ['PATH behind other folders', { env: { PATH: `/usr/bin:${ws}/bin` } }, [`${ws}/bin`]],
    ['a script', { command: 'node', args: [`${ws}/x.js`] }, [`${ws}/x.js`]],
    ['a script named from above', { command: 'node', args: ['ws/x.js'] }, [`${ws}/x.js`]],
    [
      'a module that is loaded first',
      { command: 'node', args: ['-r', `${ws}/a.js`, 'b.js'] },
      [`${ws}/a.js`],
    ],
    [
      'an import',
      { command: 'node', args: [`--import=file://${ws}/a.js`, 'b.js'] },
      [`${ws}/a.js`],
    ],
    ['a package', { args: ['-y', '--package', ws, 'x'] }, [ws]],
    [
      'a folder that a runner goes to',
      { command: 'uv', args: ['--directory', ws, 'run', 'x'] },
      [ws],
    ],
    ['what a verb runs', { command: 'uv', args: ['run', `${ws}/x.py`] }, [`${ws}/x.py`]],
    ['what a shell goes to', { command: 'sh', args: ['-c', `cd ${ws} && npm start`] }, [ws]],
    [
      'behind a wrapper',
      { command: 'env', args: ['A=1', 'python3', `${ws}/x.py`] },
      [`${ws}/x.py`],
    ],
    ['PYTHONPATH', { command: 'python3', env: { PYTHONPATH: ws } }, [ws]],
    ['NODE_OPTIONS', { env: { NODE_OPTIONS: `--require ${ws}/x.js` } }, [`${ws}/x.js`]],
    ['no argument that is data', { args: ['-y', '@scope/server-filesystem', ws] }, []],
    ['no argument of another program', { command: 'mcp-files', args: [ws] }, []],
    ['no argument behind the script', { command: 'node', args: ['/opt/x.js', ws] }, []],
    ['nothing of a folder beside it', { command: 'node', args: [`${ws}-2/x.js`] }, []],
    ['nothing of other variables', { env: { DATA: ws } }, []],
  ];
  for (const [what, wish, expected] of taken) {
    it(`SEC-01: ${what}`, async () => {
      assert.deepEqual(await found(wish), expected);
    });
  }
});

import assert from 'node:assert/strict';
import { inspectProgram } from '../../../../src/host/launch/programSearch.ts';
import { programsAt } from '../../../support/programs.ts';

const machine = {
  platform: 'posix',
  userHome: '/home/u',
  env: { PATH: '/bin', LANG: 'C', GONE: '1', VSCODE_PID: '7' },
  readFile: async () => '',
  digest: async () => '',
} as const;

describe('inspectProgram', () => {
  it('names the file, where it was searched, and what the environment has and lacks', async () => {
    const programs = programsAt(['/bin/tool']);
    const env = { PATH: '/usr/local/bin::/bin:', LANG: 'C', KEY: 'secret' };
    const launch = { kind: 'stdio', command: 'tool', args: [], cwd: '/w', env } as const;
    assert.deepEqual(await inspectProgram(launch, { ...machine, programs }), {
      file: '/bin/tool',
      searched: ['/usr/local/bin', '/bin'],
      isFolderThere: true,
      set: ['KEY', 'PATH'],
      removed: ['GONE'],
    });
  });

  it('searches nowhere for a path', async () => {
    const programs = { ...programsAt([]), isFolder: async () => false };
    const launch = { kind: 'stdio', command: '/x/tool', args: [], cwd: '/w', env: {} } as const;
    const found = await inspectProgram(launch, { ...machine, programs });
    assert.deepEqual([found.file, found.searched, found.isFolderThere], [undefined, [], false]);
  });
});

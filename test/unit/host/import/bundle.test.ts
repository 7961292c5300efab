import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb/cli';
import { readBundle, updatedBundle } from '../../../../src/host/import/bundle.ts';
import { bundleLimits, bundleOf, unpackBundle } from '../../../../src/host/import/unpackBundle.ts';
import { type ZipEntry, zipOf } from '../../../support/zipFile.ts';

const around = { platform: 'linux', env: { HOME: '/home/ada' } } as const;

const manifest = {
  manifest_version: '0.3',
  name: 'notes',
  display_name: 'Notes',
  version: '1.2.3',
  description: 'Keeps notes',
  author: { name: 'Ada' },
  server: {
    type: 'node',
    entry_point: 'server/index.js',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/index.js', '--folder=${user_config.folder}', '${HOME}${/}x'],
      env: { API_KEY: '${user_config.api_key}', DEBUG: '${user_config.debug}' },
      platform_overrides: { win32: { command: 'node.exe' } },
    },
  },
  user_config: {
    api_key: {
      type: 'string',
      title: 'API key',
      description: 'of the service',
      sensitive: true,
      required: true,
    },
    folder: {
      type: 'directory',
      title: 'Folder',
      description: `of the ${'n'.repeat(1_000)}`,
      default: '${HOME}/notes',
    },
    debug: { type: 'boolean', title: 'Debug', description: 'says more', default: false },
  },
};

describe('a bundle', () => {
  it('is a server with its files, whose configuration is asked for, secrets hidden', () => {
    const { server, title } = readBundle(manifest, '/bundles/1', around);
    assert.equal(title, 'Notes 1.2.3 by Ada');
    assert.deepEqual(server.problems, []);
    assert.deepEqual(server.entry, {
      command: 'node',
      args: ['/bundles/1/server/index.js', '--folder=${input:folder}', '${userHome}/x'],
      env: { API_KEY: '${input:api_key}', DEBUG: '${input:debug}' },
    });
    assert.deepEqual(server.inputs, [
      {
        id: 'folder',
        type: 'promptString',
        description: `Folder: of the ${'n'.repeat(284)}…`,
        default: '/home/ada/notes',
      },
      {
        id: 'api_key',
        type: 'promptString',
        description: 'API key: of the service',
        password: true,
      },
      {
        id: 'debug',
        type: 'pickString',
        description: 'Debug: says more',
        options: ['true', 'false'],
        default: 'false',
      },
    ]);
  });

  it('takes several values for an argument of its own, and writes one argument for each', () => {
    const several = {
      ...manifest,
      server: {
        ...manifest.server,
        mcp_config: {
          command: 'node',
          args: ['${__dirname}/index.js', '${user_config.folders}', '${user_config.words}'],
          env: { ALSO: '${user_config.words}' },
        },
      },
      user_config: {
        folders: {
          type: 'directory',
          title: 'Folders',
          description: 'to read',
          multiple: true,
          required: true,
          default: ['${HOME}/a', '${DESKTOP}'],
        },
        words: { type: 'string', title: 'Words', multiple: true, sensitive: true },
      },
    };
    const { lists, server } = readBundle(several, '/b', around);
    assert.deepEqual(lists, [
      {
        key: 'folders',
        description: 'Folders: to read',
        isRequired: true,
        byDefault: ['${userHome}/a', '${userHome}/Desktop'],
      },
    ]);
    const argsFor = (...values: readonly string[]): unknown =>
      readBundle(several, '/b', around, new Map([['folders', values]])).server.entry['args'];
    const secret = '${input:words}';
    assert.deepEqual(argsFor('/x', '/y z'), ['/b/index.js', '/x', '/y z', secret]);
    assert.deepEqual(argsFor(), ['/b/index.js', secret]);
    assert.match(server.problems.join(), /`words` takes several values/u);
    const elsewhere = { ...several, compatibility: { platforms: ['win32'] } };
    assert.deepEqual(
      readBundle(elsewhere, '/b', around).lists,
      [],
      'refused before it is asked for',
    );
  });

  it('takes what it has for the platform', () => {
    const on = { ...around, platform: 'win32' } as const;
    assert.equal(readBundle(manifest, 'C:\\b', on).server.entry['command'], 'node.exe');
    const uv = { ...manifest, server: { type: 'uv', entry_point: 'main.py' } };
    assert.deepEqual(readBundle(uv, '/b', around).server.entry, {
      command: 'uv',
      args: ['run', '--directory', '/b', 'main.py'],
    });
  });

  for (const [what, change, why] of [
    ['of another version', { manifest_version: '1.0' }, /manifest of version "1\.0"/u],
    ['for other platforms', { compatibility: { platforms: ['darwin'] } }, /made for darwin/u],
    ['without a command', { server: {} }, /names no command/u],
  ] as const) {
    it(`${what} is refused in words`, () => {
      const { server } = readBundle({ ...manifest, ...change }, '/b', around);
      assert.ok(!server.isUsable);
      assert.match(server.problems.join(), why);
    });
  }
});

function withArgs(...args: readonly string[]): object {
  return {
    ...manifest,
    server: { ...manifest.server, mcp_config: { command: 'node', args } },
    user_config: { folders: { type: 'directory', title: 'Folders', multiple: true } },
  };
}

describe('another version of a bundle', () => {
  const before = { folder: '/b/1', manifest };
  const entry = {
    startup: 'manual',
    command: 'node',
    args: ['/b/1/server/index.js', '--folder=${input:folder-2}', '${userHome}/x', '--mine'],
    env: { API_KEY: '${input:api_key}', DEBUG: '${input:debug-1}', MINE: '/b/1/x' },
  };

  it('runs in place of the earlier one as the user has it', () => {
    const after = { folder: '/b/2', manifest: { ...manifest, version: '1.3.0' } };
    const { server, title, lists } = updatedBundle(entry, before, after, around);
    assert.equal(title, 'Notes 1.3.0 by Ada');
    const { identity } = readBundle(manifest, '/b/1', around);
    const ofOther = readBundle({ ...manifest, author: { name: 'Eve' } }, '/b/1', around);
    assert.ok(identity === readBundle(after.manifest, '/b/2', around).identity);
    assert.ok(identity !== ofOther.identity);
    const long = { ...manifest, display_name: 'x'.repeat(200) };
    assert.match(readBundle(long, '/b/1', around).title, /… 1\.2\.3 by Ada$/u);
    assert.deepEqual(lists, []);
    assert.deepEqual(server.entry, {
      ...entry,
      args: ['/b/2/server/index.js', ...entry.args.slice(1)],
      env: { ...entry.env, MINE: '/b/2/x' },
    });
  });

  it('takes from its manifest what is new there, with the inputs that the user has', () => {
    const config = {
      command: 'node',
      args: ['${__dirname}/main.js', '--folder=${user_config.folder}', '${user_config.region}'],
      env: { API_KEY: '${user_config.api_key}', TOKEN: '${user_config.debug}' },
    };
    const changed = {
      ...manifest,
      server: { ...manifest.server, mcp_config: config },
      user_config: { ...manifest.user_config, region: { type: 'string', title: 'Region' } },
    };
    const after = { folder: '/b/2', manifest: changed };
    const { server } = updatedBundle(entry, before, after, around);
    assert.deepEqual(server.entry, {
      startup: 'manual',
      command: 'node',
      args: ['/b/2/main.js', '--folder=${input:folder-2}', '${input:region}'],
      env: { API_KEY: '${input:api_key}', MINE: '/b/2/x', TOKEN: '${input:debug-1}' },
    });
    assert.deepEqual(server.inputs.map(({ id }) => id).toSorted(), [
      'api_key',
      'debug-1',
      'folder-2',
      'region',
    ]);
  });

  it('asks for several values only where it uses them otherwise', () => {
    const args = ['${__dirname}/index.js', '${user_config.folders}'];
    const earlier = { folder: '/b/1', manifest: withArgs(...args) };
    const own = { command: 'node', args: ['/b/1/index.js', '/x', '/y z'] };
    const same = updatedBundle(own, earlier, { ...earlier, folder: '/b/2' }, around);
    assert.deepEqual(same.lists, []);
    assert.deepEqual(same.server.entry['args'], ['/b/2/index.js', '/x', '/y z']);
    const other = { folder: '/b/2', manifest: withArgs(...args, '--fast') };
    const { lists } = updatedBundle(own, earlier, other, around);
    assert.deepEqual(
      lists.map(({ key }) => key),
      ['folders'],
    );
    const answers = new Map([['folders', ['/z']]]);
    assert.deepEqual(updatedBundle(own, earlier, other, around, answers).server.entry['args'], [
      '/b/2/index.js',
      '/z',
      '--fast',
    ]);
  });
});

describe('unpacking a bundle', () => {
  let folder: string;
  let storage: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'bundle-'));
    storage = path.join(folder, 'bundles');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(entries: readonly ZipEntry[]): Promise<string> {
    const file = path.join(folder, 'x.mcpb');
    await writeFile(file, zipOf(entries));
    return file;
  }

  const ofManifest = { name: 'manifest.json', text: JSON.stringify(manifest) };

  it('takes what "mcpb pack" makes, under its digest, again and again', async () => {
    const source = path.join(folder, 'source');
    await mkdir(path.join(source, 'server'), { recursive: true });
    await writeFile(path.join(source, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(path.join(source, 'server/index.js'), '// the server', { mode: 0o755 });
    const file = path.join(folder, 'notes.mcpb');
    assert.ok(await packExtension({ extensionPath: source, outputPath: file, silent: true }));
    const { folder: unpacked, digest, isNew } = await unpackBundle(file, storage);
    assert.equal(
      digest,
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    );
    assert.ok(isNew);
    assert.equal(path.basename(unpacked), digest.slice(0, 32));
    const program = path.join(unpacked, 'server/index.js');
    assert.equal(await readFile(program, 'utf8'), '// the server');
    assert.equal((await stat(program)).mode & 0o111, 0o111);
    await writeFile(program, 'changed since');
    assert.ok(!(await unpackBundle(file, storage, digest)).isNew);
    assert.equal(await readFile(program, 'utf8'), '// the server');
  });

  it('is found again from an entry that runs its files', async () => {
    const { folder: unpacked } = await unpackBundle(await write([ofManifest]), storage);
    const args = ['--directory', unpacked, 'main.py'];
    const found = { folder: unpacked, manifest };
    assert.deepEqual(await bundleOf({ command: 'uv', args }, storage), found);
    const program = path.join(unpacked, 'server');
    assert.deepEqual(await bundleOf({ command: program }, storage), found);
    for (const entry of [undefined, {}, { command: path.join(storage, 'other/x') }, { args: 1 }]) {
      assert.equal(await bundleOf(entry, storage), undefined);
    }
    await rm(path.join(unpacked, 'manifest.json'));
    assert.equal(await bundleOf({ command: program }, storage), undefined);
  });

  const many = Array.from({ length: 10_000 }, (_, index) => ({ name: `f${index}` }));
  const cases: readonly (readonly [what: string, entries: readonly ZipEntry[], why: RegExp])[] = [
    [
      'that leads out of its folder',
      [ofManifest, { name: '../evil' }],
      /cannot be unpacked: .*\.\./u,
    ],
    [
      'with an absolute path',
      [ofManifest, { name: '/evil' }],
      /cannot be unpacked: absolute path/u,
    ],
    ['with a path of Windows', [ofManifest, { name: 'some\\file' }], /cannot be unpacked/u],
    [
      'with a link',
      [ofManifest, { name: 'evil', text: '/etc', mode: 0o120_777 }],
      /has a link or a device in it: evil/u,
    ],
    ['of 10,000 files', [ofManifest, ...many], /has more than 8000 files/u],
    [
      'that says it is huge',
      [ofManifest, { name: 'huge', size: bundleLimits.bytes }],
      /takes more than 1024 MiB/u,
    ],
    [
      'with another size than it says',
      [ofManifest, { name: 'a', text: 'x', size: 9 }],
      /cannot be/u,
    ],
    ['with two entries of a name', [ofManifest, ofManifest], /cannot be unpacked: EEXIST/u],
    ['without a manifest', [{ name: 'a' }], /has no manifest\.json/u],
    ['with a broken manifest', [{ name: 'manifest.json', text: '{' }], /manifest\.json that/u],
  ];
  for (const [what, entries, why] of cases) {
    it(`one ${what} is refused, and nothing of it stays`, async () => {
      await assert.rejects(unpackBundle(await write(entries), storage), {
        code: 'invalidConfig',
        message: why,
      });
      assert.deepEqual(await readdir(storage), []);
      assert.deepEqual((await readdir(folder)).toSorted(), ['bundles', 'x.mcpb']);
    });
  }

  it('one with another digest is refused before it is unpacked', async () => {
    const file = await write([ofManifest]);
    await assert.rejects(unpackBundle(file, storage, 'abc'), {
      message: /^x\.mcpb has the SHA-256 [a-f\d]{64}, where abc was expected$/u,
    });
    assert.deepEqual(await readdir(folder), ['x.mcpb']);
  });

  it('one that is too large is refused before it is read', async () => {
    const file = await write([ofManifest]);
    await truncate(file, bundleLimits.packedBytes + 1);
    await assert.rejects(unpackBundle(file, storage), { message: 'x.mcpb is larger than 256 MiB' });
  });

  it('its files may be run where it says so, and have no other rights', async () => {
    const run = { name: 'run', mode: 0o106_777 };
    const { folder: unpacked } = await unpackBundle(await write([ofManifest, run]), storage);
    const modes = ['manifest.json', 'run'].map(async (name) => {
      const { mode } = await stat(path.join(unpacked, name));
      return mode & 0o7_111;
    });
    assert.deepEqual(await Promise.all(modes), process.platform === 'win32' ? [0, 0] : [0, 0o111]);
  });

  it('no bundle at all is refused', async () => {
    const file = path.join(folder, 'x.mcpb');
    await writeFile(file, 'hello');
    await assert.rejects(unpackBundle(file, storage), { message: /^x\.mcpb cannot be unpacked/u });
    await assert.rejects(unpackBundle(path.join(folder, 'none'), storage), /ENOENT/u);
  });
});

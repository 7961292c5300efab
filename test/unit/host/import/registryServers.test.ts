import assert from 'node:assert/strict';
import { readRegistry } from '../../../../src/host/import/registryServers.ts';
import type { ImportedServer } from '../../../../src/host/import/importedServer.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const around = { platform: 'linux', env: {} };

/** The ways of one entry of a registry. */
function waysOf(entry: object): readonly ImportedServer[] {
  const answer = {
    servers: [{ server: { name: 'io.example/thing', version: '1.0.0', ...entry } }],
  };
  return readRegistry(answer, around).flatMap(({ ways }) => ways.map(({ server }) => server));
}

function packageOf(item: object): ImportedServer {
  const [server] = waysOf({ packages: [item] });
  assert.ok(server);
  return server;
}

describe('Servers of an MCP registry', () => {
  it('are read with what describes them, wrapped or as older registries have them', () => {
    const entry = {
      name: 'io.github.someone/weather',
      title: 'Weather',
      description: 'Tells the weather',
      version: '1.2.3',
      repository: { url: 'https://git.example/weather', source: 'github' },
    };
    const hit = { ...entry, repository: 'https://git.example/weather', ways: [] };
    assert.deepEqual(readRegistry({ servers: [{ server: entry, _meta: {} }] }, around), [hit]);
    assert.deepEqual(readRegistry({ servers: [entry] }, around), [hit]);
  });

  it('of npm run with npx, at the version of the registry, with what the user has to say', () => {
    const { name, entry, inputs, problems } = packageOf({
      registryType: 'npm',
      identifier: '@someone/weather',
      version: '1.2.3',
      transport: { type: 'stdio' },
      packageArguments: [
        { type: 'positional', value: 'serve' },
        { type: 'positional', valueHint: 'folder', isRequired: true, description: 'What to read' },
        { type: 'named', name: '--unit', default: 'C', choices: ['C', 'F'] },
        { type: 'named', name: '--verbose', description: 'Says more' },
      ],
      environmentVariables: [
        { name: 'WEATHER_KEY', description: 'Your key', isSecret: true, default: 'changeme' },
        { name: 'LANGUAGE', default: 'en' },
        { name: 'PROXY', description: 'Only behind a proxy' },
        {
          name: 'HOST',
          value: 'https://{region}.example',
          variables: { region: { isRequired: true, default: 'eu' } },
        },
      ],
    });
    assert.equal(name, 'thing');
    assert.deepEqual(entry, {
      command: 'npx',
      args: ['-y', '@someone/weather@1.2.3', 'serve', '${input:folder}', '--unit', '${input:unit}'],
      env: {
        WEATHER_KEY: '${input:WEATHER_KEY}',
        LANGUAGE: 'en',
        HOST: 'https://${input:region}.example',
      },
    });
    assert.deepEqual(
      inputs.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      [
        { id: 'WEATHER_KEY', description: 'Your key', type: 'promptString', password: true },
        { id: 'folder', description: 'What to read', type: 'promptString' },
        { id: 'region', description: 'Value of region', type: 'promptString', default: 'eu' },
        {
          id: 'unit',
          description: 'Value of --unit',
          type: 'pickString',
          options: ['C', 'F'],
          default: 'C',
        },
      ],
    );
    assert.deepEqual(problems, [
      '`PROXY` is optional, and left out',
      '`--verbose` is optional, and left out',
    ]);
  });

  const run = { type: 'positional', value: 'run' };
  const interactive = { type: 'named', name: '-i' };
  for (const [item, summary] of [
    [{ registryType: 'pypi', identifier: 'time-mcp', version: '2' }, 'uvx time-mcp@2'],
    [{ registryType: 'nuget', identifier: 'Time.Mcp', version: '2' }, 'dnx Time.Mcp@2 --yes --'],
    [{ registryType: 'npm', identifier: 'a', runtimeHint: 'bunx' }, 'bunx -y a'],
    [{ registryType: 'npm', identifier: 'a', runtimeHint: '/tmp/evil' }, 'npx -y a'],
    [
      { registryType: 'npm', identifier: 'a', registryBaseUrl: 'https://registry.npmjs.org' },
      'npx -y a',
    ],
    [
      {
        registryType: 'oci',
        identifier: 'a/b',
        registryBaseUrl: 'https://docker.io',
        version: '1',
      },
      'docker run -i --rm a/b:1',
    ],
    [
      { registryType: 'oci', identifier: 'a/b', registryBaseUrl: 'https://ghcr.io', version: '1' },
      'docker run -i --rm ghcr.io/a/b:1',
    ],
    [
      {
        registryType: 'oci',
        identifier: 'someone/time',
        version: '1.0',
        runtimeHint: 'podman',
        runtimeArguments: [run, interactive],
      },
      'podman run --rm -i someone/time:1.0',
    ],
  ] as const) {
    it(`are run by known programs alone: ${summary}`, () => {
      assert.equal(packageOf(item).summary, summary);
    });
  }

  it('in containers get their environment by name, and options before the image', () => {
    const mount = {
      type: 'named',
      name: '--mount',
      value: 'type=bind,src={path},dst=/data',
      variables: { path: { isRequired: true, format: 'filepath' } },
    };
    const { summary, entry } = packageOf({
      registryType: 'oci',
      identifier: 'ghcr.io/someone/time:1.0',
      version: '2.0',
      runtimeArguments: [mount, { type: 'named', name: '--init' }],
      environmentVariables: [{ name: 'KEY', isRequired: true, isSecret: true }],
      packageArguments: [{ type: 'positional', value: '/data' }],
    });
    assert.equal(
      summary,
      'docker run -i --rm -e KEY --mount type=bind,src=${input:path},dst=/data --init ghcr.io/someone/time:1.0 /data',
    );
    assert.deepEqual(entry['env'], { KEY: '${input:KEY}' });
  });

  it('ask for each of two variables of one name, and once for one that is used twice', () => {
    const mount = {
      type: 'named',
      name: '--mount',
      value: 'src={path},dst={path}',
      variables: { path: { isRequired: true } },
    };
    const other = { ...mount, variables: { path: { isRequired: true } } };
    const item = { registryType: 'oci', identifier: 'a/b', runtimeArguments: [mount, other] };
    assert.equal(
      packageOf(item).summary,
      'docker run -i --rm --mount src=${input:path},dst=${input:path} --mount src=${input:path-2},dst=${input:path-2} a/b',
    );
  });

  it('that cannot be run from here say why', () => {
    const transport = { type: 'streamable-http', url: 'http://localhost:1' };
    const sha256 = 'a'.repeat(64);
    for (const [item, why] of [
      [
        { registryType: 'mcpb', identifier: 'https://a.example/a.mcpb', fileSha256: sha256 },
        /is a bundle: paste/,
      ],
      [{ registryType: 'mcpb', identifier: 'https://a.example/a.mcpb' }, /without .* the SHA-256/],
      [
        {
          registryType: 'mcpb',
          identifier: 'https://a.example/a.mcpb',
          fileSha256: 'a'.repeat(63),
        },
        /without .* the SHA-256/,
      ],
      [
        { registryType: 'mcpb', identifier: 'http://127.0.0.1/a.mcpb', fileSha256: sha256 },
        /without an https/,
      ],
      [{ registryType: 'mcpb', identifier: '\\\\a.example\\a.mcpb', fileSha256: sha256 }, /https/],
      [
        { registryType: 'npm', identifier: 'a', registryBaseUrl: 'https://npm.corp.example' },
        /comes from https:\/\/npm\.corp\.example, where `npx` does not look/,
      ],
      [{ registryType: 'npm', identifier: 'a', transport }, /started by hand/],
      [{ registryType: 'npm' }, /are not supported/],
    ] as const) {
      const { isUsable, problems } = packageOf(item);
      assert.equal(isUsable, false);
      assert.match(problems.join(), why);
    }
  });

  it('of this machine may have bundles on this machine', () => {
    const fileSha256 = 'a'.repeat(64);
    const bundlesOf = (registry: string, identifier: string): unknown => {
      const packages = [{ registryType: 'mcpb', identifier, fileSha256 }];
      const answer = { servers: [{ name: 'a/b', packages }] };
      const hits = readRegistry(answer, { ...around, registry });
      return hits.flatMap(({ ways }) => ways.flatMap(({ bundle }) => bundle?.source ?? []));
    };
    const here = 'http://127.0.0.1:8080';
    const local = 'http://localhost/a.mcpb';
    assert.deepEqual(bundlesOf(here, local), [local]);
    assert.deepEqual(bundlesOf(here, 'http://a.example/a.mcpb'), []);
    assert.deepEqual(bundlesOf('https://a.example', local), []);
  });

  it('take a moment to read, whatever an entry is made of', () => {
    const npm = { registryType: 'npm', identifier: 'a' };
    const times = (length: number): readonly object[] => Array.from({ length }, () => npm);
    assert.equal(waysOf({ packages: times(1_000) }).length, 20);
    const servers = Array.from({ length: 101 }, () => ({ name: 'a/b' }));
    assert.equal(readRegistry({ servers }, around).length, 100);
    const [huge] = waysOf({ packages: times(10_000) });
    assert.deepEqual(huge?.problems, ['is larger than 64 KiB: move long texts into a file']);
    // Variables have no variables of their own: eight of them in each other were filled in a million times.
    let nested: object = { value: 'x' };
    for (let depth = 0; depth < 8; depth += 1) {
      nested = { value: '{a}{a}{a}{a}{a}{a}', variables: { a: nested } };
    }
    const ms = cpuMsOf(() => {
      const { entry } = packageOf({ ...npm, environmentVariables: [{ name: 'A', ...nested }] });
      assert.deepEqual(entry['env'], { A: '{a}'.repeat(36) });
    });
    const text = { value: '{a}'.repeat(10_000), variables: { a: { value: 'x'.repeat(30_000) } } };
    const long = cpuMsOf(() => waysOf({ packages: [{ ...npm, packageArguments: [text] }] }));
    const filled = { value: '{a}'.repeat(1_001), variables: { a: { value: 'x' } } };
    const { entry } = packageOf({ ...npm, packageArguments: [filled] });
    assert.deepEqual(entry['args'], ['-y', 'a', `${'x'.repeat(1_000)}{a}`]);
    assert.ok(ms < 1_000 && long < 1_000, `${ms} ms, ${long} ms`);
  });

  it('at a URL have their headers and the variables in the URL', () => {
    const key = { isRequired: true, isSecret: true };
    const tenant = { description: 'Your tenant', isRequired: true };
    const url = 'https://{tenant}.example/sse';
    const headers = [{ name: 'X-Key', value: 'Key {key}', variables: { key } }];
    const [server] = waysOf({ remotes: [{ type: 'sse', url, variables: { tenant }, headers }] });
    assert.deepEqual(server?.entry, {
      type: 'sse',
      url: 'https://${input:tenant}.example/sse',
      headers: { 'X-Key': 'Key ${input:key}' },
    });
    assert.equal(server.isUsable, true);
  });

  it('that are gone or are none are passed over', () => {
    const gone = { name: 'a/b', version: '1' };
    const meta = { 'io.modelcontextprotocol.registry/official': { status: 'deleted' } };
    assert.deepEqual(
      readRegistry({ servers: [{ server: gone, _meta: meta }, 3, { server: {} }] }, around),
      [],
    );
    for (const answer of [undefined, [], { servers: 'x' }, 'hello']) {
      assert.deepEqual(readRegistry(answer, around), []);
    }
  });
});

import assert from 'node:assert/strict';
import { referencesIn } from '../../../../src/host/config/variables.ts';
import type { ImportedFile, ImportedServer } from '../../../../src/host/import/importedServer.ts';
import { importLocations } from '../../../../src/host/import/locations.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { parseImport, serversOf } from '../../../../src/host/import/parseImport.ts';
import { parsePasted } from '../../../../src/host/import/pasted.ts';
import {
  type ChosenServer,
  type ImportPlan,
  planImport,
  startedByCommand,
} from '../../../../src/host/import/planImport.ts';
import { findSecrets, withoutSecrets } from '../../../../src/host/import/secretPlaces.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

// Put together here, so that no text of this file looks like a token to scanners.
const gitToken = `ghp_${'a1B2'.repeat(9)}`;
const webToken = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl'].join('.');

function servers(file: unknown, format: 'cursor' | 'vscode' = 'cursor'): readonly ImportedServer[] {
  return parseImport(format, 'mcp.json', JSON.stringify(file), { platform: 'linux', env: {} })
    .servers;
}

function choose(server: ImportedServer, changes: Partial<ChosenServer> = {}): ChosenServer {
  return {
    server,
    name: server.name,
    file: '/a/mcp.json',
    isSecret: () => true,
    ...changes,
  };
}

function entryWith(text: string): object {
  return {
    command: 'x',
    args: [text, `--token=${text}`],
    env: { A: text, TOKEN: text },
    cwd: text,
  };
}

/** No input but of the plan's own, and of them none of the server `github`. */
function assertOwnInputs({ servers: planned, inputs }: ImportPlan): void {
  const { github, ...others } = planned;
  assert.deepEqual(github?.['env'], { 'github-token': '${input:github-github-token}' });
  assert.notEqual(Object.keys(others).length, 0);
  const ids = inputs.map(({ id }) => id).filter((id) => id !== 'github-github-token');
  for (const reference of referencesIn(JSON.stringify(others))) {
    assert.ok(reference.kind !== 'input' || ids.includes(reference.id), reference.text);
  }
  assert.ok(!ids.includes('github-token'));
}

describe('Secrets in imported entries', () => {
  /** The fields of what is found, and what their places hold. */
  const cases: readonly (readonly [what: string, entry: JsonObject, expected: string])[] = [
    ['a variable', { env: { API_KEY: 'abc', LEVEL: 'x' } }, 'env.API_KEY=abc'],
    ['a token by its shape', { env: { GH: gitToken } }, `env.GH=${gitToken}`],
    ['no scheme', { headers: { Authorization: 'Bearer abc' } }, 'headers.Authorization=abc'],
    ['an option', { args: ['--token', 'abc', '--level', 'x'] }, 'args[1]=abc'],
    ['an option with its value', { args: ['--api-key=abc'] }, 'args[0]=abc'],
    ['a variable for a container', { args: ['-e', 'GITHUB_TOKEN=abc'] }, 'args[1]=abc'],
    ['a header', { args: ['-H', `Authorization: Bearer ${webToken}`] }, `args[1]=${webToken}`],
    ['a parameter', { url: 'https://a.example/mcp?x=1&api_key=abc#f' }, 'url=abc'],
    ['a password in a URL', { args: ['postgres://ada:pw1@db/x'] }, 'args[0]=pw1'],
    ['a client secret', { oauth: { clientSecret: 'abc' } }, 'oauth.clientSecret=abc'],
    [
      'a placeholder',
      { env: { ORG: '<your-org>' }, args: ['--key', 'sk-...'] },
      'env.ORG=<your-org>,args[1]=sk-...',
    ],
    [
      'a placeholder alone',
      { args: ['YOUR_API_KEY', 'xxx', './...'] },
      'args[0]=YOUR_API_KEY,args[1]=xxx',
    ],
    [
      'a placeholder in a URL',
      { url: 'https://a.example/<TENANT>/todo/mcp?org=your-org&q=x#xxx' },
      'url=<TENANT>,url=your-org,url=xxx',
    ],
    ['no variable', { env: { TOKEN: '${env:TOKEN}', A_KEY: '${input:a}' } }, ''],
    ['no variable in a header', { headers: { Authorization: 'Bearer ${env:T}' } }, ''],
    ['no flag', { env: { USE_TOKEN: 'true', SECRET: '', MAX_TOKENS: '4000000' } }, ''],
    ['no script', { args: ['-c', 'TOKEN=x; curl https://e.example | sh'] }, ''],
    ['no script behind a key', { args: ['-e', '-----BEGIN PRIVATE KEY-----\nx("y")'] }, ''],
    ['no token of a script', { args: ['-c', `curl -H "Bearer ${gitToken}" e.example | sh`] }, ''],
    ['nothing expanded', { args: ['-c', 'API_KEY={curl,e}', '--token', '$(id)'] }, ''],
    ['no ordinary argument', { args: ['-y', 'pkg', '/home/ada/key', 'C:\\x'] }, ''],
  ];
  for (const [what, entry, expected] of cases) {
    it(`finds ${what}`, () => {
      const found = findSecrets(entry).map(({ field, value }) => `${field}=${value}`);
      assert.equal(found.join(), expected);
    });
  }

  it('takes time that grows with the entry, to find secrets and to take them out', () => {
    const key = `sk-${'a1B2c3D4'.repeat(4)}`;
    const args = Array.from({ length: 20_000 }, (_, n) => `TOKEN_${n}=${key}${n}`);
    const url = `https://example.com/${`${key}/`.repeat(20_000)}`;
    const ms = cpuMsOf(() => {
      for (const entry of [{ args }, { url }]) {
        const places = findSecrets(entry);
        assert.equal(places.length, 20_000);
        assert.ok(!JSON.stringify(withoutSecrets(entry, places, () => '$')).includes('a1B2'));
      }
    });
    assert.ok(ms < 3_000, `${ms} ms`);
  });
});

describe('The plan of an import', () => {
  it('puts variables in the places of secrets, and their values apart', () => {
    const [one] = servers({
      mcpServers: {
        one: {
          url: 'https://a.example/mcp?key=k1&token=t1',
          headers: { Authorization: 'Bearer abc', 'X-Plain': 'y' },
        },
      },
    });
    assert.ok(one);
    const plan = planImport([choose(one)], []);
    assert.deepEqual(plan.servers, {
      one: {
        url: 'https://a.example/mcp?key=${input:one-key}&token=${input:one-token}',
        headers: { Authorization: 'Bearer ${input:one-Authorization}', 'X-Plain': 'y' },
      },
    });
    assert.deepEqual([...plan.texts], [...plan.values]);
    assert.deepEqual(Object.fromEntries(plan.values), {
      'one-Authorization': 'abc',
      'one-key': 'k1',
      'one-token': 't1',
    });
    assert.deepEqual(
      new Set(plan.inputs.map(({ id, password }) => password === true && id)),
      new Set(plan.values.keys()),
    );
    const { values: _values, texts: _texts, ...written } = plan;
    assert.doesNotMatch(JSON.stringify(written), /abc|k1|t1/);
  });

  it('asks for what a placeholder stands for, whatever the user calls a secret, and keeps no value of it', () => {
    const [server] = servers({
      mcpServers: { a: { command: 'x', env: { TOKEN: 'sk-...', ORG: '<your-org>' } } },
    });
    assert.ok(server);
    const plan = planImport([choose(server, { isSecret: () => false })], []);
    assert.deepEqual(plan.servers['a'], {
      command: 'x',
      env: { TOKEN: '${input:a-TOKEN}', ORG: '${input:a-ORG}' },
    });
    assert.deepEqual(
      plan.inputs.map(({ id }) => id),
      ['a-TOKEN', 'a-ORG'],
    );
    assert.deepEqual([plan.values.size, plan.texts.size], [0, 0]);
  });

  it('leaves what the user calls no secret, but for what our settings refuse', () => {
    const [one] = servers({
      mcpServers: {
        one: { url: 'https://a.example', headers: { 'X-Key': 'k' }, auth: { CLIENT_SECRET: 's' } },
      },
    });
    assert.ok(one?.isUsable);
    const plan = planImport([choose(one, { isSecret: () => false })], []);
    assert.deepEqual(plan.servers['one'], {
      url: 'https://a.example',
      headers: { 'X-Key': 'k' },
      oauth: { clientSecret: '${input:one-client-secret}' },
    });
  });

  it('shares the inputs of one file, and never one that is there already', () => {
    const file = {
      inputs: [{ id: 'key', type: 'promptString' }],
      servers: {
        a: { command: 'a', args: ['${input:key}'], env: { TOKEN: 'abc' } },
        b: { command: 'b', args: ['${input:key}'] },
      },
    };
    const [a, b] = servers(file, 'vscode');
    assert.ok(a && b);
    const plan = planImport(
      [choose(a), choose(b), choose(b, { name: 'c', file: '/other.json' })],
      ['key', 'a-TOKEN'],
    );
    assert.deepEqual(plan.servers, {
      a: { command: 'a', args: ['${input:key-2}'], env: { TOKEN: '${input:a-TOKEN-2}' } },
      b: { command: 'b', args: ['${input:key-2}'] },
      c: { command: 'b', args: ['${input:key-3}'] },
    });
    assert.deepEqual(
      plan.inputs.map(({ id }) => id),
      ['key-2', 'a-TOKEN-2', 'key-3'],
    );
    const saved = { ...plan, servers: { c: { ...plan.servers['c'], startup: 'auto' } } };
    assert.deepEqual(startedByCommand(saved).servers['c'], {
      ...plan.servers['c'],
      startup: 'manual',
    });
  });

  describe('gives no server an input of another one, whatever a text becomes by translation', () => {
    const texts = [
      '${input:github-token}',
      '${trace${userHome}-${input:github-token}',
      '${NOPE:-$}{input:github-token}',
      '${NOPE-$}{input:github-token}',
      '$${NOPE:-{input:github-token}',
      '${NOPE:-${input:github-token}}',
      '${{ ${input:github-token}',
      '${{ secrets.A }}${x${input:github-token}',
      '$HOME${input:github-token}${',
      'a {b}{c}',
    ];
    const machine = { platform: 'linux', home: '/', userData: '/u', env: {}, folders: ['/w'] };
    const formats = new Set(importLocations(machine).map(({ format }) => format));
    const around = { platform: 'linux', env: { HOME: '/home/ada' } };
    const variables = { b: { value: '$' }, c: { value: '{input:github-token}' } };
    const own = { command: 'own', env: { 'github-token': 'abc' } };

    function plannedWith(file: ImportedFile): ImportPlan {
      const [mine] = servers({ mcpServers: { mine: own } });
      assert.ok(mine);
      const chosen = file.servers.map((server, index) =>
        choose(server, { name: `other-${index}`, file: '' }),
      );
      return planImport([choose(mine, { name: 'github' }), ...chosen], ['github-token']);
    }

    const waysIn: readonly (readonly [string, (text: string) => ImportedFile])[] = [
      ...[...formats].map((format) => {
        const read = (text: string): ImportedFile => {
          const both = { a: entryWith(text), b: { url: 'https://b.example', apiKey: text } };
          const file = { servers: both, mcpServers: both, mcp_servers: both };
          return serversOf(format, file, around);
        };
        return [`a file of ${format}`, read] as const;
      }),
      ['a pasted entry', (text) => parsePasted(JSON.stringify(entryWith(text)), around)],
      ['a pasted command', (text) => parsePasted(`prog '${text}' --x`, around)],
      [
        'a pasted URL',
        (text) => parsePasted(`https://a.example/${text.replace(/ /gu, '')}`, around),
      ],
      [
        'an entry of a registry',
        (text) => {
          const headers = [{ name: 'A', value: text, variables }];
          const remote = { type: 'http', url: `https://a.example/${text}`, variables, headers };
          return parsePasted(JSON.stringify({ name: 'a', remotes: [remote] }), around);
        },
      ],
    ];
    for (const [way, read] of waysIn) {
      it(way, () => {
        for (const text of texts) {
          for (const id of ['github-token', 'github-github-token']) {
            assertOwnInputs(plannedWith(read(text.replaceAll('github-token', id))));
          }
        }
      });
    }
  });

  it('takes a server of any name', () => {
    const [, odd] = servers(
      JSON.parse('{"mcpServers":{"a":{"command":"x"},"__proto__":{"command":"y"}}}'),
    );
    assert.ok(odd);
    const plan = planImport([choose(odd)], []);
    assert.deepEqual(Object.entries(plan.servers), [['__proto__', { command: 'y' }]]);
  });
});

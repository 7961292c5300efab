import assert from 'node:assert/strict';
import { ShownApps } from '../../../../src/host/apps/shownApps.ts';
import { grounds, page, uri } from '../../../support/appGround.ts';
import type { AuditEntry } from '../../../../src/host/audit/audit.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const site = 'https://a.example';
const csp = { resourceDomains: [site] };
const server = stdioServer('clock');
const memories = () => {
  const entries: AuditEntry[] = [];
  const audit = { record: (entry: AuditEntry) => void entries.push(entry) };
  return { memory: new FakeMemory(), globalMemory: new FakeMemory(), audit, entries };
};

describe('An app that reaches other sites', () => {
  const open = grounds();
  const read = async (ui: object = { csp }, text = '<p>noon</p>') => {
    const ground = open({
      'resources/read': () => ({ contents: [{ ...page, text, _meta: { ui } }] }),
    });
    return ground.apps.read(await ground.run(), uri, new AbortController().signal);
  };

  it('APP-27, APP-77: is shown once the user has read them, also in the next window', async () => {
    const kept = memories();
    const shown = new ShownApps(kept);
    const app = await read();
    assert.equal(shown.consent(server, app), 'none');
    await shown.add(server, app);
    assert.equal(new ShownApps(kept).consent(server, app), 'given');
    assert.deepEqual([...kept.globalMemory.values], []);
    for (const one of shown.list()) {
      await shown.revoke(one);
    }
    assert.equal(shown.consent(server, app), 'none');
    assert.deepEqual(
      kept.entries.map((entry) => [entry.event, entry.server, entry.app]),
      [
        ['remembered', 'clock', uri],
        ['revoked', 'clock', uri],
      ],
    );
  });

  for (const list of ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains']) {
    it(`APP-27: is not shown before for a site of "${list}"`, async () => {
      const shown = new ShownApps(memories());
      assert.equal(shown.consent(server, await read({ csp: { [list]: [site] } })), 'none');
      assert.equal(shown.consent(server, await read({ csp: { [list]: [] } })), 'given');
    });
  }

  it('APP-20: is read about again, as changed, after each change of page, policy, permissions or domain', async () => {
    const shown = new ShownApps(memories());
    await shown.add(server, await read());
    for (const [text, ui] of [
      ['<p>night</p>', { csp }],
      ['<p>noon</p>', { csp: { resourceDomains: [site, 'https://b.example'] } }],
      ['<p>noon</p>', { csp: { connectDomains: [site] } }],
      ['<p>noon</p>', { csp: { ...csp, frameDomains: [site] } }],
      ['<p>noon</p>', { csp, permissions: { clipboardWrite: {} } }],
      ['<p>noon</p>', { csp, domain: 'a.example' }],
    ] as const) {
      const consent = shown.consent(server, await read(ui, text));
      assert.equal(consent, 'changed', JSON.stringify([text, ui]));
    }
    assert.equal(shown.consent(server, await read({ csp, prefersBorder: true })), 'given');
  });

  it('APP-27: is read about again when another server has it, or another program', async () => {
    const shown = new ShownApps(memories());
    const app = await read();
    await shown.add(server, app);
    const launch = { kind: 'stdio', command: 'other', args: [], env: {} } as const;
    assert.equal(shown.consent(stdioServer('clock', { launch }), app), 'changed');
    assert.equal(shown.consent({ ...server, id: 'user/other' }, app), 'none');
    assert.equal(shown.consent(server, { ...app, uri: 'ui://clock/other' }), 'none');
  });

  it('APP-27: is not shown for what was kept in another shape', async () => {
    const kept = memories();
    const app = await read();
    await new ShownApps(kept).add(server, app);
    const [[key, stored] = []] = kept.memory.values;
    assert.ok(key !== undefined && Array.isArray(stored));
    await kept.memory.set(key, [{ ...stored[0], hash: 1 }, 7]);
    assert.equal(new ShownApps(kept).consent(server, app), 'none');
  });
});

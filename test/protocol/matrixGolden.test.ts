/**
 * What one conversation looks like on the wire, over every transport at every revision, as it was agreed
 * to be right. `UPDATE_GOLDEN=1` writes what is seen now; the diff is for a person to judge.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { connect } from '../../src/mcp/client/connect.ts';
import { revisions } from '../../src/mcp/revisions.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import { type MatrixHost, startHost } from '../servers/matrix/matrixHosts.ts';
import { closedAfterTest } from '../support/closing.ts';
import { hello } from '../support/hello.ts';
import { textOf } from '../support/textOf.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { cells } from './matrixColumns.ts';
import { answers, type Cell } from './matrixScenarios.ts';

const folder = fileURLToPath(new URL('golden/', import.meta.url));
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';

/** Opens, lists, calls with progress, is asked for the roots, gets a batch where there are any, and closes. */
async function converse(host: MatrixHost, { transport, revision }: Cell): Promise<void> {
  const { signal } = new AbortController();
  const features = answers(
    () => undefined,
    () => undefined,
  );
  const session = await connect([host.binding], hello({ features }), signal);
  // What is opened on the side would come before what is asked next, or after it.
  if (session.server.era === 'modern') {
    await waitUntil('the subscription', () => host.wire.join().includes('/acknowledged'));
  } else if (transport === 'Streamable HTTP') {
    await waitUntil('the push stream', () => host.wire.includes('> GET /mcp'));
  }
  await listAll(session, 'tools');
  await textOf(session, 'progress', {}, { onProgress: () => undefined });
  await textOf(session, 'ask', { method: 'roots/list', params: {} });
  if (revisions[revision].batches) {
    await textOf(session, 'batch');
  }
  await session.close();
  if (transport === 'WebSocket') {
    await waitUntil('the close', () => host.wire.includes('> close 1000'));
  }
}

describe('Matrix: golden transcripts', function () {
  this.timeout(60_000);

  for (const cell of cells) {
    const name = `${cell.transport.replace(/\W/gu, '-').toLowerCase()}-${cell.revision}.txt`;
    it(`${cell.transport}, ${cell.revision}`, async () => {
      const host = closedAfterTest(await startHost(cell.transport, cell.revision));
      await converse(host, cell);
      const wire = `${host.wire.join('\n')}\n`;
      if (isUpdate) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(`${folder}${name}`, wire);
      }
      assert.equal(wire, readFileSync(`${folder}${name}`, 'utf8'));
    });
  }
});

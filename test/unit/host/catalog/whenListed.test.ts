import assert from 'node:assert/strict';
import { settlesWithin } from '../../../../src/base/async.ts';
import { whenListed } from '../../../../src/host/catalog/whenListed.ts';
import { deferred } from '../../../support/deferred.ts';

const serverThat = (whenLoaded: () => Promise<void>) => ({ catalog: { whenLoaded } });
const ready = serverThat(() => Promise.resolve());

describe('whenListed', () => {
  it('waits for the lists of all servers', async () => {
    const coming = deferred<void>();
    const listed = whenListed([ready, serverThat(() => coming.promise)], 60_000);
    assert.equal(await settlesWithin(listed, 20), false);
    coming.resolve();
    await listed;
  });

  it('leaves out what takes too long, or fails', async () => {
    await whenListed([ready, serverThat(() => deferred<void>().promise)], 10);
    await whenListed([serverThat(() => Promise.reject(new Error('lost'))), ready]);
    await whenListed([]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readChallenge } from '../../../../src/mcp/auth/challenge.ts';

describe('readChallenge', () => {
  it('AUTH-03 (legacy): reads the parameters of a Bearer challenge', async () => {
    const header =
      'Bearer realm="x", error="invalid_token", error_description="ended, sorry", scope="a b", resource_metadata="https://h/m"';
    assert.deepEqual(await readChallenge(401, header), {
      status: 401,
      scheme: 'bearer',
      error: 'invalid_token',
      errorDescription: 'ended, sorry',
      scope: 'a b',
      resourceMetadata: 'https://h/m',
    });
  });

  it('finds the scheme among others, in any letters', async () => {
    const header = 'Basic realm="x", BEARER resource_metadata="https://h/m"';
    assert.equal((await readChallenge(401, header)).resourceMetadata, 'https://h/m');
  });

  it('DPOP-01 (2026): prefers a bound token, and takes the metadata from whichever names it', async () => {
    assert.equal((await readChallenge(401, 'Bearer scope="a", DPoP algs="ES256"')).scheme, 'dpop');
    const header = 'DPoP algs="ES256", Bearer resource_metadata="https://h/m"';
    assert.equal((await readChallenge(401, header)).resourceMetadata, 'https://h/m');
  });

  it('a header that is missing, of another scheme or broken counts as one without parameters', async () => {
    for (const header of [undefined, '', 'Negotiate', 'Bearer', '"', 'Bearer =', ',,,']) {
      const { status, resourceMetadata } = await readChallenge(401, header);
      assert.deepEqual([status, resourceMetadata], [401, undefined]);
    }
  });

  it('so does one that is longer than HTTP lets it be, in no time', async () => {
    const start = process.cpuUsage();
    const header = `Bearer ${'a=b '.repeat(50_000)}`;
    assert.deepEqual(await readChallenge(401, header), { status: 401 });
    assert.ok(process.cpuUsage(start).user < 1_000_000);
  });
});

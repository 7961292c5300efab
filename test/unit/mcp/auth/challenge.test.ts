import assert from 'node:assert/strict';
import { readChallenge } from '../../../../src/mcp/auth/challenge.ts';

describe('readChallenge', () => {
  it('AUTH-03 (legacy): reads the parameters of a Bearer challenge', async () => {
    const header =
      'Bearer realm="x", error="invalid_token", error_description="ended, sorry", scope="a b", resource_metadata="https://h/m"';
    const { error, scope, resource_metadata } = await readChallenge(header);
    assert.deepEqual([error, scope, resource_metadata], ['invalid_token', 'a b', 'https://h/m']);
  });

  it('finds the scheme among others, in any letters', async () => {
    const header = 'Basic realm="x", BEARER resource_metadata="https://h/m"';
    assert.equal((await readChallenge(header)).resource_metadata, 'https://h/m');
  });

  it('DPOP-01 (2026): prefers a bound token, and takes the metadata from whichever names it', async () => {
    assert.equal((await readChallenge('Bearer scope="a", DPoP scope="b"')).scope, 'b');
    const header = 'DPoP algs="ES256", Bearer resource_metadata="https://h/m"';
    assert.equal((await readChallenge(header)).resource_metadata, 'https://h/m');
  });

  it('a header that is missing, of another scheme or broken counts as one without parameters', async () => {
    for (const header of [undefined, '', 'Negotiate', 'Bearer', '"', 'Bearer =', ',,,']) {
      assert.equal((await readChallenge(header)).resource_metadata, undefined);
    }
  });

  it('so does one that is longer than HTTP lets it be, in no time', async () => {
    const start = process.cpuUsage();
    const header = `Bearer ${'a=b '.repeat(50_000)}`;
    assert.deepEqual(await readChallenge(header), {});
    assert.ok(process.cpuUsage(start).user < 1_000_000);
  });
});

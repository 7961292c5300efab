import assert from 'node:assert/strict';
import {
  isWithin,
  readChallenge,
  type ScopeSources,
  selectScope,
} from '../../../../src/mcp/auth/challenge.ts';

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

const nothing: ScopeSources = {
  configured: undefined,
  challenged: undefined,
  resource: undefined,
  earlier: undefined,
  supported: undefined,
  wantsRefreshToken: false,
};

describe('selectScope', () => {
  it('FLOW-11 (2026), AUTH-26 (legacy): takes the challenge, else the metadata, else sends none', () => {
    const resource = ['a', 'b'];
    assert.equal(selectScope({ ...nothing, challenged: 'c d', resource }), 'c d');
    assert.equal(selectScope({ ...nothing, resource }), 'a b');
    assert.equal(selectScope(nothing), undefined);
  });

  it('FLOW-12 (2026), AUTH-27 (legacy): takes a challenged scope that no metadata knows', () => {
    assert.equal(selectScope({ ...nothing, challenged: 'x', supported: ['a'] }), 'x');
  });

  it('FLOW-19 (2026), AUTH-28 (legacy): a step up asks for all of before, once each', () => {
    assert.equal(selectScope({ ...nothing, earlier: 'a b', challenged: 'b c' }), 'a b c');
    const configured = ['a'];
    assert.equal(selectScope({ ...nothing, configured, earlier: 'a', challenged: 'c' }), 'a c');
  });

  it('the settings count before what the server names', () => {
    const configured = ['mine'];
    assert.equal(selectScope({ ...nothing, configured, challenged: 'c' }), 'mine');
  });

  it('FLOW-17 (2026): adds offline_access only where it is supported and of use', () => {
    const supported = ['a', 'offline_access'];
    const wantsRefreshToken = true;
    assert.equal(
      selectScope({ ...nothing, challenged: 'a', supported, wantsRefreshToken }),
      'a offline_access',
    );
    assert.equal(selectScope({ ...nothing, challenged: 'a', supported }), 'a');
    assert.equal(selectScope({ ...nothing, challenged: 'a', wantsRefreshToken }), 'a');
  });

  it('knows what is within what', () => {
    assert.equal(isWithin('a', 'b a'), true);
    assert.equal(isWithin('a c', 'b a'), false);
    assert.equal(isWithin(undefined, undefined), true);
  });
});

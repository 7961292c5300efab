import assert from 'node:assert/strict';
import { isWithin, type ScopeSources, selectScope } from '../../../../src/mcp/auth/scopes.ts';

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

import assert from 'node:assert/strict';
import { hasApp, isForApps, isForModels, viewLink } from '../../../../src/host/apps/toolUi.ts';

const withUi = (ui: unknown, more: object = {}) => ({ _meta: { ui, ...more } });

describe('The link from a tool to a view', () => {
  for (const [what, tool, link] of [
    ['APP-07: is in `_meta.ui`', withUi({ resourceUri: 'ui://a' }), 'ui://a'],
    ['APP-08: may have the flat key', { _meta: { 'ui/resourceUri': 'ui://b' } }, 'ui://b'],
    [
      'APP-08: has the nested key before the flat one',
      withUi({ resourceUri: 'ui://a' }, { 'ui/resourceUri': 'ui://b' }),
      'ui://a',
    ],
    ['APP-14: may be missing beside a visibility', withUi({ visibility: ['app'] }), undefined],
    ['APP-07: is missing without `_meta`', {}, undefined],
    ['APP-07: is missing beside other members', { _meta: { ui: null } }, undefined],
  ] as const) {
    it(what, () => {
      const found = viewLink(tool);
      assert.equal(found.kind === 'view' ? found.uri : undefined, link);
      assert.equal(hasApp(tool), link !== undefined);
    });
  }

  for (const uri of ['https://example.com/', 'file:///a', 'UI', '', 7, {}]) {
    it(`APP-09: that is ${JSON.stringify(uri)} makes the tool a plain one`, () => {
      const tool = withUi({ resourceUri: uri });
      assert.deepEqual(viewLink(tool), { kind: 'wrong', found: uri });
      assert.equal(hasApp(tool), false);
    });
  }
});

describe('The visibility of a tool', () => {
  for (const [rule, visibility, who] of [
    ['APP-11', undefined, ['model', 'app']],
    ['APP-11', 'app', ['model', 'app']],
    ['APP-11', ['model', 'app'], ['model', 'app']],
    ['APP-10', ['app'], ['app']],
    ['APP-12', ['model'], ['model']],
    ['APP-11', [], []],
    ['APP-11', ['everybody', 'app'], ['app']],
  ] as const) {
    it(`${rule}: ${JSON.stringify(visibility)} is for ${who.join(' and ') || 'nobody'}`, () => {
      const tool = withUi({ visibility, csp: {}, permissions: {} });
      const found = [isForModels(tool) ? 'model' : '', isForApps(tool) ? 'app' : ''];
      assert.deepEqual(found.filter(Boolean), who);
    });
  }
});

import assert from 'node:assert/strict';
import { chooseModel } from '../../../../src/host/sampling/modelChoice.ts';
import { type Model, idWithVendor } from '../../../../src/host/models/model.ts';
import type { ModelPreferences } from '../../../../src/mcp/types/clientFeatures.ts';
import { ScriptedModel } from '../../../support/fakeSampling.ts';

function model(id: string, name: string, family: string): Model {
  return Object.assign(new ScriptedModel(), { id, name, family });
}

const models = [
  model('copilot/auto', 'Auto', 'auto'),
  model('gpt-5', 'GPT-5', 'gpt-5'),
  model('gpt-5-mini', 'GPT-5 mini', 'gpt-5-mini'),
  model('c-opus', 'Claude Opus 4', 'claude-opus'),
  model('c-sonnet', 'Claude Sonnet 4', 'claude-sonnet'),
  model('gemini-2.5-pro', 'Gemini 2.5 Pro', 'gemini'),
] as const;
const hints = (...names: readonly string[]): ModelPreferences => ({
  hints: names.map((name) => ({ name })),
});

describe('chooseModel', () => {
  for (const [what, preferences, id, kind] of [
    ['nothing is asked for', {}, 'copilot/auto', 'default'],
    ['a part of a name', hints('sonnet'), 'c-sonnet', 'hint'],
    ['any case, with blanks', hints(' SONNET '), 'c-sonnet', 'hint'],
    ['a part of an id', hints('c-op'), 'c-opus', 'hint'],
    ['a part of a family', hints('claude-opus'), 'c-opus', 'hint'],
    ['the first hint that fits', hints('llama', 'opus', 'gpt'), 'c-opus', 'hint'],
    ['no hint that fits', hints('llama'), 'copilot/auto', 'default'],
    ['an empty hint is none', hints(''), 'copilot/auto', 'default'],
    ['price', { costPriority: 1 }, 'gpt-5-mini', 'priorities'],
    ['speed', { speedPriority: 0.8 }, 'gpt-5-mini', 'priorities'],
    ['strength; "gemini" is no "mini"', { intelligencePriority: 1 }, 'c-opus', 'priorities'],
    ['hints before numbers (SAMP-11)', { ...hints('opus'), costPriority: 1 }, 'c-opus', 'hint'],
    [
      'numbers among those that a hint names',
      { ...hints('gpt'), speedPriority: 1 },
      'gpt-5-mini',
      'hint',
    ],
    ['numbers that say nothing', { costPriority: 0 }, 'copilot/auto', 'default'],
  ] as const) {
    it(`SAMP-10, SAMP-11, SAM-07, SAM-08: ${what}`, () => {
      const choice = chooseModel(models, preferences);
      assert.equal(choice.model.id, id);
      assert.equal(choice.because.kind, kind);
    });
  }

  it('SAMP-09: the user has the last word, for as long as there is such a model', () => {
    const own = chooseModel(models, hints('opus'), idWithVendor(models[1]));
    assert.equal(own.model.id, 'gpt-5');
    assert.deepEqual(own.because, { kind: 'user' });
    assert.equal(chooseModel(models, hints('opus'), 'gone').model.id, 'c-opus');
  });

  it('SAMP-09: the user’s model is one of a vendor: another vendor may have the same id', () => {
    const own: Model = Object.assign(new ScriptedModel('gpt-5'), { vendor: 'own' });
    const choice = chooseModel([models[1], own], {}, idWithVendor(own));
    assert.deepEqual([choice.model, choice.because.kind], [own, 'user']);
    assert.equal(chooseModel([models[1]], {}, idWithVendor(own)).because.kind, 'default');
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  formatArguments,
  missingArguments,
  parseArguments,
} from '../../../../src/host/prompts/promptArguments.ts';
import { findPrompt, promptName } from '../../../../src/host/prompts/promptName.ts';
import type { Prompt } from '../../../../src/mcp/types/lists.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const named = (serverName: string, name: string) => ({
  server: serverName,
  serverName,
  prompt: { name },
});

describe('promptName', () => {
  it('VSC-11: is server and prompt, without what would end the word in chat', () => {
    assert.equal(promptName('weather', { name: 'forecast' }), 'weather.forecast');
    assert.equal(promptName('My Server!', { name: 'do it/now' }), 'My_Server.do_it_now');
    assert.equal(promptName('…', { name: '?' }), '_._');
  });

  it('finds the prompt again, and gives the rest of the text', () => {
    const prompts = [named('My Server', 'a b'), named('s', 'echo'), named('s', 'Echo')];
    const find = (text: string) => {
      const hit = findPrompt(prompts, text);
      return hit && [hit.found.serverName, hit.found.prompt.name, hit.rest];
    };
    assert.deepEqual(find('my_server.a_b'), ['My Server', 'a b', '']);
    assert.deepEqual(find('/s.echo  hello  world '), ['s', 'echo', 'hello  world']);
    assert.deepEqual(find('/mcp.s.Echo'), ['s', 'Echo', '']);
    assert.deepEqual(find('s.ECHO'), ['s', 'echo', '']);
    assert.equal(find('s.nothing'), undefined);
    assert.equal(find(''), undefined);
  });

  it('takes as long as the name is', () => {
    for (const piece of ['_', '-', '/', '_.', ' ']) {
      const name = `a${piece.repeat(100_000)}b`;
      const took = cpuMsOf(() => assert.ok(promptName('s', { name }).startsWith('s.a')));
      assert.ok(took < 1_000, `${piece}: ${took} ms`);
    }
  });
});

describe('parseArguments', () => {
  const prompt: Prompt = {
    name: 'p',
    arguments: [{ name: 'style' }, { name: 'topic', required: true }],
  };
  const table: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['', {}],
    ['  ', {}],
    ['{"topic":"cats","style":"dry"}', { topic: 'cats', style: 'dry' }],
    ['{"topic": 3}', { topic: '3' }],
    ['topic=cats', { topic: 'cats' }],
    ['topic="two words" style=dry', { topic: 'two words', style: 'dry' }],
    ['topic="say \\"hi\\""', { topic: 'say "hi"' }],
    ['topic=', { topic: '' }],
    ['cats and dogs', { topic: 'cats and dogs' }],
    ['a=b is no pair of ours', { topic: 'a=b is no pair of ours' }],
    ['topic=cats and dogs', { topic: 'topic=cats and dogs' }],
    ['{ not json', { topic: '{ not json' }],
  ];
  for (const [text, args] of table) {
    it(`PROM-03: reads ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseArguments(prompt, text), args);
    });
  }

  it('drops the text for a prompt without arguments', () => {
    assert.deepEqual(parseArguments({ name: 'p' }, 'hello'), {});
  });

  it('reads back whatever formatArguments writes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (args) => {
        const plain = { ...args };
        assert.deepEqual({ ...parseArguments(prompt, formatArguments(plain)) }, plain);
      }),
    );
  });

  it('PROM-08: names the required arguments that are missing', () => {
    assert.deepEqual(
      missingArguments(prompt, { style: 'dry', topic: '' }).map(({ name }) => name),
      ['topic'],
    );
    assert.deepEqual(missingArguments(prompt, { topic: 'x' }), []);
  });
});

/** Schemas, results, questions and challenges of servers: each is used, or refused with a sentence. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { stableStringify } from '../../src/base/json.ts';
import { modelSchema } from '../../src/host/chat/modelSchema.ts';
import { readForm } from '../../src/host/forms/readForm.ts';
import { decodeContents } from '../../src/host/resources/resourceContents.ts';
import { readChallenge } from '../../src/mcp/auth/challenge.ts';
import { readElicitRequest } from '../../src/mcp/elicitParams.ts';
import { toResult } from '../../src/mcp/era/calls.ts';
import { isMcpError, isRpcError } from '../../src/mcp/errors.ts';
import { checkItem } from '../../src/mcp/listItems.ts';
import { readCreateMessage } from '../../src/mcp/samplingParams.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';
import { almost, mostly, number, objectOf, text, value } from './arbitraries.ts';
import type { Fuzz } from './fuzz.ts';

const checker = createSchemaChecker();

/** Runs `use`; what it throws, or rejects with, must be an error with a code and a sentence of bounded length. */
async function orRefused(use: () => unknown): Promise<void> {
  try {
    await use();
  } catch (error) {
    assert.ok(isMcpError(error) || isRpcError(error), String(error));
    assert.ok(error.message !== '' && error.message.length < 2_000, error.message.slice(0, 3_000));
  }
}

const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '', 'ä');
const reference = fc.constantFrom(
  ...'# #/$defs/a #/$defs/b #a https://127.0.0.1:9/x #/properties/a #/%'.split(' '),
  '',
);
const pattern = fc.oneof(
  fc.constantFrom(...'^(a+)+$ (?<x>a)\\k<x> [ \\ (?=a)* [\\w-.] ^\\p{L}+$ (a|a)*b'.split(' '), ''),
  fc.string({
    unit: fc.constantFrom(...'ab()[]{}*+?|\\.^$-,0123dwk<>=!:'.split('')),
    maxLength: 12,
  }),
);
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');

const schemas = fc.letrec<{ schema: unknown; object: object }>((tie) => {
  const members: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    $schema: mostly(
      fc.constantFrom(
        'http://json-schema.org/draft-07/schema#',
        'https://json-schema.org/draft/2020-12/schema',
      ),
    ),
    $id: mostly(fc.constantFrom('https://a.example/s', '#a', 'a')),
    $ref: mostly(reference),
    $dynamicRef: mostly(reference),
    $anchor: mostly(fc.constant('a')),
    $dynamicAnchor: mostly(fc.constant('a')),
    $defs: mostly(objectOf(tie('schema'), name, 2)),
    type: mostly(fc.oneof(type, fc.array(type, { maxLength: 2 }))),
    title: mostly(text),
    description: mostly(text),
    properties: mostly(objectOf(tie('schema'), name, 3)),
    patternProperties: mostly(objectOf(tie('schema'), pattern, 2)),
    additionalProperties: mostly(tie('schema')),
    unevaluatedProperties: mostly(tie('schema')),
    required: mostly(fc.array(name, { maxLength: 2 })),
    items: mostly(tie('schema')),
    prefixItems: mostly(fc.array(tie('schema'), { maxLength: 2 })),
    enum: mostly(fc.array(value.any, { maxLength: 3 })),
    enumNames: mostly(fc.array(text, { maxLength: 3 })),
    const: value.any,
    default: value.any,
    pattern: mostly(pattern),
    format: mostly(
      fc.constantFrom('email', 'uri', 'date', 'date-time', 'regex', 'int32', 'nothing'),
    ),
    minLength: mostly(number),
    maxLength: mostly(number),
    minimum: mostly(number),
    multipleOf: mostly(number),
    minItems: mostly(number),
    allOf: mostly(fc.array(tie('schema'), { maxLength: 2 })),
    anyOf: mostly(fc.array(tie('schema'), { maxLength: 2 })),
    oneOf: mostly(fc.array(tie('schema'), { maxLength: 2 })),
    not: mostly(tie('schema')),
    if: mostly(tie('schema')),
    else: mostly(tie('schema')),
  };
  const member = fc.oneof(
    ...Object.entries(members).map(([key, arbitrary]) => fc.tuple(fc.constant(key), arbitrary)),
  );
  return {
    schema: fc.oneof({ depthSize: 'small', maxDepth: 3 }, fc.boolean(), tie('object')),
    object: fc.array(member, { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  };
});

/** Any schema can be checked against, or says why not; models and forms get something of it, or a reason. */
const schema: Fuzz = {
  name: 'schema',
  share: 1,
  property: fc.asyncProperty(schemas.object, value.any, async (received, candidate) => {
    const one = { ...received };
    await orRefused(async () => {
      const found = await checker.check(one, candidate);
      assert.ok(found.every((sentence) => sentence.length < 1_000));
    });
    const forModel = modelSchema(one);
    assert.ok(JSON.stringify(forModel).length < 1_000_000);
    const form = { type: 'object', ...one };
    await orRefused(() => readForm(form, '2025-11-25', checker));
    await orRefused(() => stableStringify(one));
    return true;
  }),
};

const content = almost({
  type: fc.constantFrom(
    ...'text image audio resource resource_link tool_use tool_result'.split(' '),
  ),
  text,
  data: text,
  mimeType: text,
  uri: text,
  name: text,
  id: text,
  toolUseId: text,
  input: value.object,
  content: value.any,
  resource: almost({ uri: text, text, blob: text }),
});

const contents = fc.array(content, { maxLength: 3 });
const items = fc.array(
  almost({
    name: text,
    uri: text,
    uriTemplate: text,
    title: text,
    description: text,
    inputSchema: value.object,
    icons: fc.array(almost({ src: text, sizes: fc.array(text) }), { maxLength: 2 }),
    arguments: fc.array(almost({ name: text })),
    annotations: value.object,
    size: number,
  }),
  { maxLength: 3 },
);

const result = almost({
  resultType: fc.constantFrom('complete', 'input_required'),
  content: contents,
  contents: fc.array(almost({ uri: text, text, blob: text, mimeType: text }), { maxLength: 3 }),
  messages: fc.array(almost({ role: fc.constantFrom('user', 'assistant'), content }), {
    maxLength: 3,
  }),
  tools: items,
  prompts: items,
  resources: items,
  resourceTemplates: items,
  nextCursor: text,
  structuredContent: value.any,
  isError: fc.boolean(),
  completion: almost({ values: fc.array(text), total: number, hasMore: fc.boolean() }),
});

/** Results of calls and items of lists are tidied or refused. */
const results: Fuzz = {
  name: 'results',
  share: 4,
  property: fc.asyncProperty(
    fc.constantFrom(
      'tools/call',
      'tools/list',
      'prompts/get',
      'prompts/list',
      'resources/read',
      'resources/list',
      'resources/templates/list',
      'completion/complete',
    ),
    mostly(result),
    async (method, received) => {
      await orRefused(() => toResult(method, received));
      for (const list of ['tools', 'prompts', 'resources', 'resourceTemplates'] as const) {
        const some: unknown =
          typeof received === 'object' && received !== null
            ? Reflect.get(received, list)
            : undefined;
        for (const item of Array.isArray(some) ? some : [some]) {
          const checked = checkItem(list, item);
          assert.ok(checked.kind === 'item' || checked.reason !== '');
        }
      }
      await orRefused(() => decodeContents('a:/', [received]));
      return true;
    },
  ),
};

const asked = almost({
  mode: fc.constantFrom('form', 'url'),
  message: text,
  url: text,
  elicitationId: text,
  requestedSchema: schemas.object,
  messages: fc.array(
    almost({ role: fc.constantFrom('user', 'assistant'), content: fc.oneof(content, contents) }),
    { maxLength: 3 },
  ),
  maxTokens: number,
  temperature: number,
  stopSequences: fc.array(text, { maxLength: 2 }),
  tools: items,
  toolChoice: almost({ mode: fc.constantFrom('auto', 'required', 'none') }),
  modelPreferences: almost({
    hints: fc.array(almost({ name: text }), { maxLength: 2 }),
    costPriority: number,
  }),
  systemPrompt: text,
  includeContext: fc.constantFrom('none', 'thisServer'),
});

/** What a server asks for is understood or refused. */
const asks: Fuzz = {
  name: 'asks',
  share: 1,
  property: fc.asyncProperty(
    fc.constantFrom('2025-06-18', '2025-11-25', '2026-07-28'),
    asked,
    async (revision, received) => {
      const params = { ...received };
      await orRefused(async () => {
        const request = readElicitRequest(params, revision);
        if ('requestedSchema' in request) {
          await readForm(request.requestedSchema, revision, checker);
        }
      });
      await orRefused(() => readCreateMessage(params, revision));
      return true;
    },
  ),
};

const challenge = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'Bearer ¦DPoP ¦Basic ¦bearer¦realm=¦scope="a b"¦resource_metadata=¦error='.split('¦'),
        ...'"https://a.example/x"¦,¦, ¦=¦"¦\\"¦ ¦\t¦token68==¦*'.split('¦'),
      ),
      text,
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** A header is read, or counts as one that says nothing. */
const wwwAuthenticate: Fuzz = {
  name: 'wwwAuthenticate',
  share: 19,
  property: fc.asyncProperty(challenge, async (header) => {
    const read = await readChallenge(header);
    assert.ok(Object.values(read).every((each) => typeof each === 'string'));
    return true;
  }),
};

export const serverData: readonly Fuzz[] = [schema, results, asks, wwwAuthenticate];

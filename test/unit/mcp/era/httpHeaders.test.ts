/** The headers that repeat members of a 2026-07-28 request: names, encoding, marked arguments. */
import assert from 'node:assert/strict';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as fc from 'fast-check';
import {
  encodeHeaderValue,
  readToolHeaders,
  requestHeaders,
} from '../../../../src/mcp/era/httpHeaders.ts';

const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

/** A schema whose property `value` is this. */
function schemaOf(value: object): object {
  return { type: 'object', properties: { value } };
}

/** The headers of a call, by the tool's schema. */
function paramHeaders(inputSchema: object, args: unknown): Readonly<Record<string, string>> {
  const read = readToolHeaders(inputSchema);
  assert(read.kind === 'valid');
  const all = requestHeaders(
    'tools/call',
    { _meta: meta, name: 't', arguments: args },
    read.mirrored,
  );
  return Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith('mcp-param-')));
}

function decode(header: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/u.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8');
}

describe('The headers of a 2026-07-28 request', () => {
  const named: readonly (readonly [string, object, string | undefined])[] = [
    ['tools/list', {}, undefined],
    ['tools/call', { name: 'get_weather' }, 'get_weather'],
    ['prompts/get', { name: 'greet me' }, 'greet me'],
    ['resources/read', { uri: 'file:///a%20b' }, 'file:///a%20b'],
    ['resources/read', { uri: 'file:///ü' }, '=?base64?ZmlsZTovLy/DvA==?='],
    ['tasks/get', { taskId: 't1' }, 't1'],
    ['tasks/update', { taskId: 't1' }, 't1'],
    ['tasks/cancel', { taskId: 't1' }, 't1'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' } }, undefined],
    ['skills/get', { uri: 'skill://a/SKILL.md' }, undefined],
    ['tools/call', { name: 7 }, undefined],
    ['server/discover', { name: 'x', uri: 'y' }, undefined],
  ];
  for (const [method, params, name] of named) {
    it(`HTTP-04, HTTP-05, HTTP-06, HTTP-07, TASK-22, SKL-06: ${method} ${JSON.stringify(params)}`, () => {
      assert.deepEqual(requestHeaders(method, { ...params, _meta: meta }), {
        'mcp-method': method,
        'mcp-protocol-version': '2026-07-28',
        ...(name !== undefined && { 'mcp-name': name }),
      });
    });
  }

  const encodings: readonly (readonly [string, string])[] = [
    ['us-west1', 'us-west1'],
    ['a b', 'a b'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['a\r\nSet-Cookie: x', '=?base64?YQ0KU2V0LUNvb2tpZTogeA==?='],
    ['a\tb', '=?base64?YQli?='],
    ['', '=?base64??='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['=?base64?open', '=?base64?open'],
    ['=?BASE64?x?=', '=?BASE64?x?='],
  ];
  for (const [text, header] of encodings) {
    it(`HDR-10, HDR-11, HDR-16: ${JSON.stringify(text)} is sent as ${header}`, () => {
      assert.equal(encodeHeaderValue(text), header);
    });
  }

  it('HDR-10: every text comes out as a header that HTTP takes and that gives the text back', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (text, isWrapped) => {
        const value = isWrapped ? `=?base64?${text}?=` : text;
        const header = encodeHeaderValue(value);
        validateHeaderValue('mcp-name', header);
        assert.match(header, /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u);
        assert.equal(decode(header), Buffer.from(value, 'utf8').toString('utf8'));
      }),
    );
  });

  const values: readonly (readonly [string, unknown, string | undefined])[] = [
    ['string', 'eu', 'eu'],
    ['string', '', '=?base64??='],
    ['integer', 42, '42'],
    ['integer', -7, '-7'],
    ['integer', -0, '0'],
    ['integer', Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['integer', 2 ** 53, undefined],
    ['integer', 1.5, undefined],
    ['boolean', true, 'true'],
    ['boolean', false, 'false'],
    ['boolean', null, undefined],
    ['string', undefined, undefined],
    ['string', { a: 1 }, undefined],
    ['string', ['a'], undefined],
  ];
  for (const [type, value, header] of values) {
    it(`HDR-09, HDR-10, HDR-12: ${JSON.stringify(value)} for a property of type ${type}`, () => {
      const headers = paramHeaders(schemaOf({ type, 'x-mcp-header': 'Value' }), { value });
      assert.deepEqual(headers, header === undefined ? {} : { 'mcp-param-value': header });
    });
  }

  it('HDR-09: reads the value at the exact path, and no inherited member', () => {
    const schema = {
      type: 'object',
      properties: {
        region: { type: 'string' },
        place: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'R' } } },
        constructor: { type: 'string', 'x-mcp-header': 'C' },
      },
    };
    assert.deepEqual(paramHeaders(schema, { region: 'no', place: { region: 'eu' } }), {
      'mcp-param-r': 'eu',
    });
    for (const args of [{ region: 'no' }, { place: 'x' }, { place: ['eu'] }, {}, undefined, null]) {
      assert.deepEqual(paramHeaders(schema, args), {});
    }
  });

  it('HDR-01: "Method" is mirrored beside the method, not instead of it', () => {
    const read = readToolHeaders(schemaOf({ type: 'string', 'x-mcp-header': 'Method' }));
    assert(read.kind === 'valid');
    const params = { _meta: meta, name: 't', arguments: { value: 'GET' } };
    const headers = requestHeaders('tools/call', params, read.mirrored);
    assert.equal(headers['mcp-method'], 'tools/call');
    assert.equal(headers['mcp-param-method'], 'GET');
  });

  const marked = { type: 'string', 'x-mcp-header': 'Region' };
  const invalid: readonly (readonly [string, string, unknown])[] = [
    ['HDR-02', 'empty', schemaOf({ type: 'string', 'x-mcp-header': '' })],
    ['HDR-02', 'a space', schemaOf({ type: 'string', 'x-mcp-header': 'My Region' })],
    ['HDR-02', 'a colon', schemaOf({ type: 'string', 'x-mcp-header': 'Region:Primary' })],
    ['HDR-02', 'a control character', schemaOf({ type: 'string', 'x-mcp-header': 'R\t1' })],
    ['HDR-02', 'a line break at the end', schemaOf({ type: 'string', 'x-mcp-header': 'R\n' })],
    ['HDR-02', 'a letter beyond ASCII', schemaOf({ type: 'string', 'x-mcp-header': 'Région' })],
    ['HDR-02', 'a number', schemaOf({ type: 'string', 'x-mcp-header': 7 })],
    ['HDR-02', 'null', schemaOf({ type: 'string', 'x-mcp-header': null })],
    ['HDR-03', 'twice', { properties: { a: marked, b: marked } }],
    [
      'HDR-03',
      'twice but for case',
      { properties: { a: marked, b: { ...marked, 'x-mcp-header': 'region' } } },
    ],
    [
      'HDR-03',
      'twice at two depths',
      { properties: { a: marked, b: { properties: { c: marked } } } },
    ],
    ['HDR-04', 'on a number', schemaOf({ ...marked, type: 'number' })],
    ['HDR-04', 'on an object', schemaOf({ ...marked, type: 'object' })],
    ['HDR-04', 'on an array', schemaOf({ ...marked, type: 'array' })],
    ['HDR-04', 'on null', schemaOf({ ...marked, type: 'null' })],
    ['HDR-04', 'on a union', schemaOf({ ...marked, type: ['string', 'null'] })],
    ['HDR-04', 'without a type', schemaOf({ 'x-mcp-header': 'Region' })],
    ['HDR-04', 'beside a $ref', schemaOf({ $ref: '#/$defs/r', 'x-mcp-header': 'Region' })],
    ['HDR-05', 'on the root', { ...marked }],
    ['HDR-05', 'in items', schemaOf({ type: 'array', items: marked })],
    ['HDR-05', 'in prefixItems', schemaOf({ type: 'array', prefixItems: [marked] })],
    ['HDR-05', 'in an item of allOf', { allOf: [{ properties: { a: marked } }] }],
    ['HDR-05', 'in oneOf', schemaOf({ oneOf: [marked] })],
    ['HDR-05', 'in not', schemaOf({ not: marked })],
    ['HDR-05', 'in else', { else: { properties: { a: marked } } }],
    ['HDR-05', 'in $defs', { $defs: { r: marked } }],
    ['HDR-05', 'in additionalProperties', { additionalProperties: marked }],
    ['HDR-05', 'in patternProperties', { patternProperties: { '^a': marked } }],
    ['HDR-05', 'in a property below items', schemaOf({ items: { properties: { a: marked } } })],
  ];
  for (const [rule, what, schema] of invalid) {
    it(`${rule}: a schema with an annotation ${what} is invalid`, () => {
      assert.equal(readToolHeaders(schema).kind, 'invalid');
    });
  }

  const unannotated: readonly (readonly [string, unknown])[] = [
    ['no object', 7],
    ['no annotation', { type: 'object', properties: { a: { type: 'number' } } }],
    ['a property of that name', { properties: { 'x-mcp-header': { type: 'number' } } }],
    ['a default of that name', schemaOf({ type: 'object', default: { 'x-mcp-header': '' } })],
    ['a const of that name', schemaOf({ const: { 'x-mcp-header': ' ' } })],
    ['boolean schemas', { properties: { a: true }, additionalProperties: false }],
    ['properties that are no object', { properties: [marked] }],
  ];
  for (const [what, schema] of unannotated) {
    it(`HDR-05: ${what} marks nothing`, () => {
      assert.deepEqual(readToolHeaders(schema), { kind: 'valid', mirrored: [] });
    });
  }

  it('HDR-02: every token of RFC 9110 is a name, and HTTP takes it', () => {
    const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/u);
    fc.assert(
      fc.property(token, fc.integer(), (name, value) => {
        const schema = schemaOf({ type: 'integer', 'x-mcp-header': name });
        const headers = paramHeaders(schema, { value });
        assert.deepEqual(headers, { [`mcp-param-${name.toLowerCase()}`]: String(value) });
        Object.keys(headers).forEach((header) => validateHeaderName(header));
      }),
    );
  });

  it('HDR-09: any nesting of properties is read without recursion', () => {
    let schema: object = { type: 'string', 'x-mcp-header': 'Deep' };
    let args: unknown = 'found';
    for (let depth = 0; depth < 20_000; depth++) {
      schema = { properties: { a: schema } };
      args = { a: args };
    }
    assert.deepEqual(paramHeaders(schema, args), { 'mcp-param-deep': 'found' });
  });

  it('no schema and no arguments make it throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (schema, args) => {
        const read = readToolHeaders(schema);
        const mirrored = read.kind === 'valid' ? read.mirrored : [];
        const headers = requestHeaders('tools/call', { name: 'x', arguments: args }, mirrored);
        assert.equal(headers['mcp-method'], 'tools/call');
      }),
    );
  });
});

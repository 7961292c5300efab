/**
 * The official JSON Schemas of the protocol's revisions, out of the program of
 * `@modelcontextprotocol/conformance`, which has them inside as object literals and exports nothing.
 * A new version of the suite that keeps them elsewhere fails here, with a sentence.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { type JsonObject, isObject } from '../../../src/base/json.ts';
import type { Revision } from '../../../src/mcp/revisions.ts';

/** Those with a schema of their own. */
export type SchemaRevision = Exclude<Revision, '2024-11-05'>;

/** What only the newest revision defines, to tell it among those that the suite names by a variable. */
const newestMethod = 'subscriptions/listen';

export function readOfficialSchemas(): ReadonlyMap<SchemaRevision, JsonObject> {
  const manifest = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/conformance/package.json',
  );
  const program = readFileSync(join(dirname(manifest), 'dist/index.js'), 'utf8');
  const keys = [...program.matchAll(/"(?<revision>\d{4}-\d\d-\d\d)":(?<name>[\w$]+)[,}]/gu)];
  const schemas = new Map<SchemaRevision, JsonObject>();
  for (const { index } of program.matchAll(/\{\$schema:`[^`]*`,(?:\$defs|definitions):\{/gu)) {
    const schema = literalAt(program, index);
    if (definitionsOf(schema)['JSONRPCMessage'] === undefined) {
      continue; // the schema of a tool in a scenario
    }
    // `Pe={…}` and, after all of them, `{"2025-03-26":Pe,…}`
    const name = /([\w$]+)=$/u.exec(program.slice(index - 20, index))?.[1] ?? '';
    const key = keys.find(({ groups }) => groups?.['name'] === name)?.groups?.['revision'];
    const isNewest = JSON.stringify(schema).includes(newestMethod);
    schemas.set(toRevision(isNewest ? '2026-07-28' : key), schema);
  }
  assert.equal(schemas.size, 4, `schemas of ${[...schemas.keys()].join(', ')} only`);
  return schemas;
}

export function definitionsOf(schema: JsonObject): JsonObject {
  const definitions = schema['$defs'] ?? schema['definitions'];
  assert.ok(isObject(definitions), 'a schema without definitions');
  return definitions;
}

function toRevision(value: unknown): SchemaRevision {
  assert.ok(
    value === '2025-03-26' ||
      value === '2025-06-18' ||
      value === '2025-11-25' ||
      value === '2026-07-28',
    `The conformance suite holds a schema of ${String(value)}`,
  );
  return value;
}

/** The object literal that starts at `start`; strings of all three kinds are skipped for its end. */
function literalAt(program: string, start: number): JsonObject {
  const token = /`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{}]/gsu;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(program); found !== null; found = token.exec(program)) {
    depth += found[0] === '{' ? 1 : found[0] === '}' ? -1 : 0;
    if (depth === 0) {
      // Through JSON: what comes from another context has prototypes of its own.
      const text = `JSON.stringify(${program.slice(start, token.lastIndex)})`;
      const schema: unknown = JSON.parse(String(runInNewContext(text, {})));
      assert.ok(isObject(schema));
      return schema;
    }
  }
  assert.fail('a literal without an end');
}

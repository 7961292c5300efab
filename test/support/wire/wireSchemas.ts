/** Says what is wrong with a message of the client, by the official schema of a revision. */
import assert from 'node:assert/strict';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type JsonObject, isObject, isString } from '../../../src/base/json.ts';
import type { Revision } from '../../../src/mcp/revisions.ts';
import { definitionsOf, readOfficialSchemas } from './officialSchemas.ts';

/** The server's request → the definition of its result. */
const resultNames: Readonly<Record<string, string>> = {
  ping: 'EmptyResult',
  'roots/list': 'ListRootsResult',
  'sampling/createMessage': 'CreateMessageResult',
  'elicitation/create': 'ElicitResult',
  'tasks/get': 'GetTaskResult',
  'tasks/result': 'GetTaskPayloadResult',
  'tasks/cancel': 'CancelTaskResult',
  'tasks/list': 'ListTasksResult',
};

/** Of official extensions, which the schema of the core does not know. */
const extensionMethods: Readonly<Partial<Record<Revision, readonly string[]>>> = {
  '2026-07-28': ['tasks/get', 'tasks/update', 'tasks/cancel'],
};

export class WireSchemas {
  readonly #byRevision = new Map<Revision, RevisionSchema>();
  /** Those that a client sends in any revision. */
  readonly #knownMethods = new Set<string>();

  constructor() {
    const official = new Map<Revision, JsonObject>(readOfficialSchemas());
    official.set('2024-11-05', oldest(official.get('2025-03-26')));
    for (const [revision, schema] of official) {
      const own = new RevisionSchema(schema, extensionMethods[revision]);
      this.#byRevision.set(revision, own);
      own.methods.forEach((method) => this.#knownMethods.add(method));
    }
  }

  /**
   * One sentence per mistake. A method that no revision knows is a test's own, and only has to be JSON-RPC.
   * @param asked the server's request that `message` replies to
   */
  problems(
    revision: Revision,
    message: JsonObject,
    asked: JsonObject | undefined,
  ): readonly string[] {
    const schema = this.#byRevision.get(revision);
    assert.ok(schema);
    const { method } = message;
    if (isString(method) && this.#knownMethods.has(method) && !schema.methods.has(method)) {
      return [`"${method}" is no method of a client in ${revision}`];
    }
    return schema.problems(message, asked);
  }
}

class RevisionSchema {
  readonly #ajv: Ajv | Ajv2020;
  readonly #base: string;
  readonly #definitions: JsonObject;
  readonly #nameOf = new Map<string, string>();
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly methods: ReadonlySet<string>;

  constructor(schema: JsonObject, extensions: readonly string[] = []) {
    const options = { strict: false, allErrors: true };
    const isNew = '$defs' in schema;
    this.#ajv = isNew ? new Ajv2020(options) : new Ajv(options);
    addFormats.default(this.#ajv);
    this.#ajv.addFormat('byte', true);
    this.#ajv.addSchema({ ...mended(schema), $id: 'mcp://schema' });
    this.#base = `mcp://schema#/${isNew ? '$defs' : 'definitions'}/`;
    this.#definitions = definitionsOf(schema);
    for (const union of ['ClientRequest', 'ClientNotification']) {
      for (const name of this.#membersOf(union)) {
        this.#nameOf.set(this.#methodOf(name), name);
      }
    }
    this.methods = new Set([...this.#nameOf.keys(), ...extensions]);
  }

  problems(message: JsonObject, asked: JsonObject | undefined): readonly string[] {
    const { method } = message;
    if (isString(method)) {
      const envelope = 'id' in message ? 'JSONRPCRequest' : 'JSONRPCNotification';
      const name = this.#nameOf.get(method);
      return [...this.#check(envelope, message), ...(name ? this.#check(name, message) : [])];
    }
    if ('error' in message) {
      return this.#check(this.#either('JSONRPCErrorResponse', 'JSONRPCError'), message);
    }
    const envelope = this.#either('JSONRPCResultResponse', 'JSONRPCResponse');
    const name = resultNameOf(asked);
    return [
      ...this.#check(envelope, message),
      ...(name !== undefined && name in this.#definitions
        ? this.#check(name, message['result'])
        : []),
    ];
  }

  #check(name: string, value: unknown): readonly string[] {
    const validate = this.#validatorOf(name);
    return validate(value) ? [] : (validate.errors ?? []).map((error) => toSentence(name, error));
  }

  #validatorOf(name: string): ValidateFunction {
    const validate = this.#compiled.get(name) ?? this.#ajv.compile({ $ref: this.#base + name });
    this.#compiled.set(name, validate);
    return validate;
  }

  #either(name: string, older: string): string {
    return name in this.#definitions ? name : older;
  }

  /** A union of one is written as that one itself: its method tells which. */
  #membersOf(union: string): readonly string[] {
    const definition = this.#definitions[union];
    assert.ok(isObject(definition));
    const { anyOf } = definition;
    if (Array.isArray(anyOf)) {
      return anyOf.map((member: JsonObject) => String(member['$ref']).split('/').at(-1) ?? '');
    }
    return [union];
  }

  #methodOf(name: string): string {
    const definition = this.#definitions[name];
    const properties = isObject(definition) ? definition['properties'] : undefined;
    const method = isObject(properties) ? properties['method'] : undefined;
    assert.ok(isObject(method) && isString(method['const']), `${name} has no method`);
    return method['const'];
  }
}

/** What a client sends in 2024-11-05 is what it sends in the revision after it, but for sound and arrays. */
function oldest(next: JsonObject | undefined): JsonObject {
  assert.ok(next);
  const sound = /,\{"\$ref":"#\/definitions\/AudioContent"\}/gu;
  const text = JSON.stringify(next);
  assert.match(text, sound);
  const schema: unknown = JSON.parse(text.replaceAll(sound, ''));
  assert.ok(isObject(schema));
  return schema;
}

/** schema.ts says `number` of what a form may answer; the JSON that is made of it says `integer`. */
function mended(schema: JsonObject): JsonObject {
  const key = '$defs' in schema ? '$defs' : 'definitions';
  const definitions = definitionsOf(schema);
  const result = JSON.stringify(definitions['ElicitResult'] ?? {});
  const ElicitResult: unknown = JSON.parse(result.replaceAll('"integer"', '"number"'));
  return { ...schema, [key]: { ...definitions, ElicitResult } };
}

function resultNameOf(asked: JsonObject | undefined): string | undefined {
  const method = asked?.['method'];
  if (asked === undefined || !isString(method)) {
    return undefined;
  }
  const params = asked['params'];
  return isObject(params) && 'task' in params ? 'CreateTaskResult' : resultNames[method];
}

function toSentence(name: string, { instancePath, message, params }: ErrorObject): string {
  return `${name}${instancePath} ${message ?? ''} ${JSON.stringify(params)}`;
}

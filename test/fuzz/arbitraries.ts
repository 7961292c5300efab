/** What hostile servers are made of: values, texts and messages that are almost right. */
import * as fc from 'fast-check';

/** Names that mean something to JavaScript, to JSON-RPC or to JSON Schema, and some that mean nothing. */
const keys = [
  ...'__proto__ constructor prototype toString hasOwnProperty then toJSON length'.split(' '),
  '',
  ...'jsonrpc id method params result error code message data _meta progressToken'.split(' '),
  ...'progress total requestId name title description uri text blob content mimeType'.split(' '),
  ...'icons src annotations arguments inputSchema resultType nextCursor tools ttlMs'.split(' '),
  '\uD800',
  'ä\u202E',
  'a'.repeat(300),
];

export const text = fc.oneof(
  fc.constantFrom(
    ...keys,
    '2.0',
    'https://a.example/x',
    'data:image/png;base64,AA==',
    '\u0000',
    '😀',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

export const number = fc.oneof(
  fc.integer({ min: -2, max: 5 }),
  fc.double(),
  fc.constantFrom(0, -0, 1e308, Infinity, -Infinity, 2 ** 31, 2 ** 53, -32601, 5e-324),
);

/** What JSON.parse can give, odd numbers included. */
export const value = fc.letrec<{ any: unknown; object: object; array: unknown[] }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    number,
    text,
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('any'), { maxLength: 4 }),
  object: objectOf(tie('any')),
}));

/** An object as JSON.parse makes it: `__proto__` is a member of its own. */
export function objectOf<T>(
  member: fc.Arbitrary<T>,
  names: fc.Arbitrary<string> = fc.constantFrom(...keys),
  maxLength = 5,
): fc.Arbitrary<object> {
  return fc
    .array(fc.tuple(names, member), { maxLength })
    .map((entries) => Object.fromEntries(entries));
}

/** Mostly `good`, at times anything. */
export function mostly<T>(good: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: value.any });
}

/** An object with these members, each of them wrong or missing at times, and others besides. */
export function almost(
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<object> {
  const right = fc.record(
    Object.fromEntries(Object.entries(members).map(([name, good]) => [name, mostly(good)])),
    { requiredKeys: [] },
  );
  const whole = fc.record(members);
  return fc.oneof(
    { weight: 4, arbitrary: whole },
    { weight: 4, arbitrary: right },
    {
      weight: 1,
      arbitrary: fc.tuple(right, value.object).map(([mine, others]) => ({ ...others, ...mine })),
    },
  );
}

export const id = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom('1', 'a', '', 1.5));

const methods = fc.constantFrom(
  ...'ping ask notifications/cancelled notifications/progress notifications/message'.split(' '),
  ...'notifications/tools/list_changed notifications/resources/updated'.split(' '),
  ...'elicitation/create __proto__'.split(' '),
);

const params = almost({
  requestId: id,
  progressToken: id,
  progress: number,
  total: number,
  message: text,
  uri: text,
  _meta: almost({ progressToken: id }),
});

/** A JSON-RPC message, or something that is nearly one. */
export const message: fc.Arbitrary<unknown> = fc.oneof(
  almost({ jsonrpc: fc.constant('2.0'), id, method: methods, params }),
  almost({ jsonrpc: fc.constant('2.0'), method: methods, params }),
  almost({ jsonrpc: fc.constant('2.0'), id, result: value.any }),
  almost({
    jsonrpc: fc.constant('2.0'),
    id,
    error: almost({ code: number, message: text, data: value.any }),
  }),
  value.any,
);

/** Bytes of a channel: messages, junk and broken encodings, one after the other. */
export function bytesOf(piece: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const part = fc.oneof(
    { weight: 8, arbitrary: piece.map((one) => Buffer.from(one)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) },
  );
  return fc.array(part, { maxLength: 6 }).map((parts) => Buffer.concat(parts));
}

/** Where a stream is cut: numbers that {@link cutAt} takes. */
export const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 5 });

/** The bytes in pieces, as a channel may hand them out. */
export function cutAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [
    ...new Set(places.map((place) => place % (bytes.length + 1))),
    bytes.length,
  ].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

/** The process that checks what takes long: what it may cost, and when it ends. */
import assert from 'node:assert/strict';
import { isMcpError } from '../../../../src/mcp/errors.ts';
import { processExists } from '../../../../src/mcp/transport/stdio/processTree.ts';
import {
  SchemaProcess,
  type SchemaProcessOptions,
} from '../../../../src/host/schemas/schemaProcess.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

/** On a busy machine a process takes its time to start, and to be gone. */
const limitMs = 60_000;

/** Each step doubles how many violations there are, which no memory holds. */
const endless = {
  $defs: Object.fromEntries(
    Array.from({ length: 64 }, (_, n) => {
      const both = { $ref: `#/$defs/d${n + 1}` };
      return [`d${n}`, n === 63 ? { type: 'string' } : { minProperties: 0, allOf: [both, both] }];
    }),
  ),
  $ref: '#/$defs/d0',
};
/** Only backtracking can match it. */
const slow = { pattern: '^(?=(a+)+$)' };
const evil = `${'a'.repeat(60)}!`;

const notText = ['the value must be string'];

/** What is said of a schema, or a value, that could not be checked. */
async function messageOf(check: Promise<readonly string[]>): Promise<string> {
  const error: unknown = await check.then(
    () => assert.fail('it was checked'),
    (reason: unknown) => reason,
  );
  assert.ok(isMcpError(error) && error.code === 'unsupported');
  return error.message;
}

describe('the process for schemas', function () {
  this.timeout(2 * limitMs);
  /** Ids of the processes that were started, and of those that are known to have ended. */
  let started: number[];
  let ended: number[];
  let open: SchemaProcess[];

  beforeEach(() => {
    started = [];
    ended = [];
    open = [];
  });

  afterEach(async () => {
    open.forEach((one) => one.dispose());
    await waitUntil('the end of all', () => ended.length === started.length, limitMs);
  });

  function create(options: SchemaProcessOptions = {}): SchemaProcess {
    const orphans = {
      watch: (pid: number) => void started.push(pid),
      release: (pid: number) => void ended.push(pid),
    };
    const created = new SchemaProcess({ orphans, ...options });
    open.push(created);
    return created;
  }

  it('SCH-07: a check that exhausts the memory costs its own process, and no schema may do that for ever', async () => {
    const apart = create({ memoryMb: 32, checkMs: limitMs });
    assert.match(await messageOf(apart.check(endless, {})), /more than 32 MB of memory/u);
    assert.deepEqual(await apart.check({ type: 'string' }, 1), notText);
    assert.match(await messageOf(apart.check(endless, {})), /more than 32 MB of memory/u);
    assert.equal(started.length, 2);
    assert.match(
      await messageOf(apart.check(endless, {})),
      /too much time or memory 2 times, and is not/u,
    );
    assert.equal(started.length, 2);
    assert.deepEqual(await apart.check({ type: 'string' }, 'x'), []);
  });

  it('a value that exhausts the memory does so there', async () => {
    const apart = create({ memoryMb: 32, checkMs: limitMs });
    const value = Array.from({ length: 1_000_000 }, (_, n) => ({ n }));
    assert.match(await messageOf(apart.check({}, value)), /more than 32 MB of memory/u);
    assert.deepEqual(await apart.check({}, 1), []);
  });

  it('SCH-07: a check beyond the limit of time ends the process, and the next one has another', async () => {
    const apart = create({ checkMs: 3_000 });
    assert.deepEqual(await apart.check({}, 1), []);
    assert.match(await messageOf(apart.check(slow, evil)), /longer than 3 s/u);
    await waitUntil('its end', () => ended.length === 1, limitMs);
    assert.deepEqual(ended, started);
    const other = create();
    const [one, two] = await Promise.all([other.check({ type: 'string' }, 1), other.check({}, 1)]);
    assert.deepEqual([one, two], [notText, []]);
    assert.equal(started.length, 2);
  });

  it('what cannot be sent is not checked', async () => {
    const apart = create();
    let deep: object = {};
    for (let depth = 0; depth < 100_000; depth++) {
      deep = { deep };
    }
    assert.match(await messageOf(apart.check({}, deep)), /value against the schema failed/u);
    assert.deepEqual(await apart.check({}, 1), []);
  });

  it('its end is the end of the check that is under way, and of all later ones', async () => {
    const apart = create();
    assert.deepEqual(await apart.check({}, 1), []);
    const [pid = 0] = started;
    const attempt = messageOf(apart.check(slow, evil));
    const next = messageOf(apart.check({}, 1));
    assert.ok(processExists(pid));
    await waitUntil('the check', () => process.getActiveResourcesInfo().includes('ProcessWrap'));
    apart.dispose();
    assert.match(await attempt, /MCP Host was stopped/u);
    assert.match(await next, /MCP Host was stopped/u);
    await waitUntil('its end', () => ended.length === 1 && !processExists(pid), limitMs);
    assert.equal(started.length, 1);
  });

  it('one that is killed while nothing is checked is replaced', async () => {
    const apart = create();
    assert.deepEqual(await apart.check({}, 1), []);
    process.kill(started[0] ?? 0, 'SIGKILL');
    await waitUntil('its end', () => ended.length === 1, limitMs);
    assert.deepEqual(await apart.check({}, 1), []);
    assert.equal(started.length, 2);
  });

  it('a process that cannot be started is told of, whatever the reason', async () => {
    const schema = { type: 'string' };
    const absent = create({ command: '/no/such/node' });
    assert.match(await messageOf(absent.check(schema, 1)), /no process.*\/no\/such\/node/u);
    const refused = create({ command: 'x'.repeat(3_000_000) });
    assert.match(await messageOf(refused.check(schema, 1)), /failed: .*E2BIG/u);
    const apart = create();
    const { HOME: home } = process.env;
    process.env['HOME'] = '/no/such/folder';
    try {
      // It does not count against the schema, however often.
      for (const again of ['once', 'twice', 'three times']) {
        const message = await messageOf(apart.check(schema, 1));
        assert.match(message, /failed: .*ENOENT/u, again);
      }
    } finally {
      process.env['HOME'] = home;
    }
    assert.deepEqual(await apart.check(schema, 1), notText);
  });
});

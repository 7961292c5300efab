/**
 * The scenarios of the protocol matrix. Each is written once, in terms of a Session, and runs over every
 * transport at every revision where it can exist.
 */
import assert from 'node:assert/strict';
import {
  type Revision,
  type RevisionFeatures,
  revisions,
  revisionsNewestFirst,
} from '../../src/mcp/revisions.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import type {
  ClientFeatures,
  CloseReason,
  ServerChange,
  Session,
} from '../../src/mcp/session/session.ts';
import type { LoggingMessage } from '../../src/mcp/types/methods.ts';
import { type TransportName, transports } from '../servers/matrix/matrixHosts.ts';
import { textOf } from '../support/textOf.ts';
import { withTimeJumps } from '../support/timeJump.ts';
import { waitUntil } from '../support/waitUntil.ts';

export interface Cell {
  readonly transport: TransportName;
  readonly revision: Revision;
}

/** All that exist: the stream of HTTP+SSE belongs to one session, and the newest revision has none. */
export const cells: readonly Cell[] = transports.flatMap((transport) =>
  revisionsNewestFirst
    .filter((revision) => transport !== 'HTTP+SSE' || revisions[revision].era === 'legacy')
    .map((revision) => ({ transport, revision })),
);

/** A session with the server of the matrix, and what it told. */
export interface Opened {
  readonly session: Session;
  readonly cell: Cell;
  readonly changes: readonly ServerChange[];
  readonly logs: readonly LoggingMessage[];
  readonly closes: readonly CloseReason[];
  /** Questions that wait for a user. */
  readonly asked: readonly string[];
  /** Questions that the server took back. */
  readonly withdrawn: readonly string[];
}

export interface Scenario {
  /** Begins with the rules that it shows. */
  readonly name: string;
  readonly isPossible?: (revision: RevisionFeatures) => boolean;
  run(opened: Opened): Promise<void>;
}

/** What the client of the matrix answers. One question is so hard that only taking it back ends it. */
export function answers(
  onAsked: (question: string) => void,
  onWithdrawn: (question: string) => void,
): ClientFeatures {
  return {
    listRoots: async () => [{ uri: 'file:///work', name: 'work' }],
    sample: async ({ messages }, { signal }) => {
      if (JSON.stringify(messages).includes('hard')) {
        onAsked('sampling');
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        onWithdrawn('sampling');
      }
      return { role: 'assistant', model: 'm', content: { type: 'text', text: 'four' } };
    },
    elicit: async () => ({ action: 'accept', content: { name: 'Ada' } }),
  };
}

const ignore = (): void => undefined;

function sampling(text: string): Readonly<Record<string, unknown>> {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens: 10 } };
}

/** What the server got for its question. */
async function ask(
  session: Session,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  return JSON.parse(await textOf(session, 'ask', { method, params }));
}

interface Sent {
  readonly jsonrpc?: string;
  readonly id?: string | number;
  readonly method?: string;
}

/** Every frame that the server received, this request included. */
async function receivedBy(session: Session): Promise<readonly (Sent | readonly Sent[])[]> {
  return JSON.parse(await textOf(session, 'received'));
}

function hasServerRequests({ era }: RevisionFeatures): boolean {
  return era === 'legacy';
}

const names = ['echo', 'fail', 'refuse', 'progress', 'wait', 'ask', 'withdraw', 'change', 'touch'];

export const scenarios: readonly Scenario[] = [
  {
    name: 'LIFE-01, LIFE-03, LIFE-07, LIFE-11: opens and agrees on the revision',
    async run({ session, cell }) {
      const { server } = session;
      assert.equal(server.revision, cell.revision);
      assert.equal(server.transport, cell.transport);
      assert.deepEqual([server.info.name, server.info.version], ['matrix', '1.0.0']);
      assert.equal(server.instructions, 'Call "echo".');
      const methods = (await receivedBy(session)).map((frame) =>
        'method' in frame ? frame.method : undefined,
      );
      const opening =
        server.era === 'legacy' ? ['initialize', 'notifications/initialized'] : ['server/discover'];
      assert.deepEqual(
        // Over HTTP it may overtake, and be overtaken.
        methods.filter((method) => method !== 'subscriptions/listen'),
        [...opening, 'tools/call'],
      );
    },
  },
  {
    name: 'PAGE-01, TOOL-01: lists with all pages',
    async run({ session }) {
      const { items } = await listAll(session, 'tools');
      assert.deepEqual(
        items.map(({ name }) => name),
        names,
      );
    },
  },
  {
    name: 'BASE-12: calls at the same time, each with its own answer',
    async run({ session }) {
      const values = Array.from({ length: 20 }, (_, index) => `Zürich ${index} 東京\n`);
      const answered = await Promise.all(values.map((value) => textOf(session, 'echo', { value })));
      assert.deepEqual(answered, values);
    },
  },
  {
    name: 'TOOL-13, TOOL-14: tells an error of a tool from one of the protocol',
    async run({ session }) {
      const failed = await session.call('tools/call', { name: 'fail' });
      assert.equal(failed.isError, true);
      await assert.rejects(session.call('tools/call', { name: 'refuse' }), {
        code: 'rpc',
        rpcCode: -32_000,
        message: 'refused',
        data: { hint: 'x' },
      });
      await assert.rejects(session.call('tools/call', { name: 'nothing' }), { rpcCode: -32_602 });
    },
  },
  {
    name: 'PROG-01: progress arrives before the result',
    async run({ session }) {
      const seen: unknown[] = [];
      const options = { onProgress: (one: unknown) => seen.push(one) };
      assert.equal(await textOf(session, 'progress', {}, options), 'done');
      assert.deepEqual(
        seen,
        [1, 2, 3].map((progress) => ({ progress, total: 3, message: undefined })),
      );
    },
  },
  {
    name: 'CANC-01, CAN-01: a call that we give up is cancelled at the server',
    async run({ session }) {
      const controller = new AbortController();
      const waiting = textOf(session, 'wait', {}, { signal: controller.signal });
      // The server has it before it is taken back.
      await textOf(session, 'echo', { value: 'x' });
      controller.abort();
      await assert.rejects(waiting, { code: 'cancelled' });
      let cancelled: unknown[] = [];
      while (cancelled.length === 0) {
        cancelled = JSON.parse(await textOf(session, 'cancelled'));
      }
      assert.equal(cancelled.length, 1);
      assert.equal(await textOf(session, 'echo', { value: 'still there' }), 'still there');
    },
  },
  {
    name: 'CANC-03: a question that the server takes back ends without an answer',
    isPossible: hasServerRequests,
    async run({ session, withdrawn }) {
      assert.equal(await textOf(session, 'withdraw', sampling('hard')), 'withdrawn');
      await waitUntil('the question is closed', () => withdrawn.length > 0);
      assert.deepEqual(withdrawn, ['sampling']);
    },
  },
  {
    name: 'PROG-05: a server that waits for us is told that we are at it',
    isPossible: hasServerRequests,
    async run({ session, asked, withdrawn }) {
      await withTimeJumps(async (pass) => {
        const told = textOf(session, 'hurry', sampling('hard'));
        await waitUntil('the question', () => asked.length > 0);
        pass(1_000);
        assert.equal(await told, 'told');
        await waitUntil('the question is closed', () => withdrawn.length > 0);
      });
    },
  },
  {
    name: 'ROOT-02: answers roots/list',
    async run({ session }) {
      assert.deepEqual(await ask(session, 'roots/list', {}), {
        result: { roots: [{ uri: 'file:///work', name: 'work' }] },
      });
    },
  },
  {
    name: 'CAP-02: answers sampling/createMessage',
    async run({ session }) {
      const { method, params } = sampling('2 + 2?');
      const reply = await ask(session, String(method), Object(params));
      const content = { type: 'text', text: 'four' };
      assert.deepEqual(reply, { result: { role: 'assistant', model: 'm', content } });
    },
  },
  {
    name: 'ELIC-02: answers elicitation/create',
    isPossible: ({ elicitationModes }) => elicitationModes.length > 0,
    async run({ session }) {
      const properties = { name: { type: 'string' } };
      const requestedSchema = { type: 'object', properties };
      assert.deepEqual(
        await ask(session, 'elicitation/create', { message: '?', requestedSchema }),
        {
          result: { action: 'accept', content: { name: 'Ada' } },
        },
      );
    },
  },
  {
    name: 'CAP-03, CAP-05: refuses what the revision does not have, or nobody does',
    isPossible: hasServerRequests,
    async run({ session, cell }) {
      const refused = { method: 'teleport/now', ...refusedBefore(cell.revision) };
      const reply = await ask(session, refused.method, {});
      const { error }: { error?: { code: number } } = Object(reply);
      assert.equal(error?.code, -32_601);
    },
  },
  {
    name: 'TOOL-01: a change of the list is announced, and seen',
    async run({ session, changes }) {
      const before = changes.length;
      await textOf(session, 'change');
      await waitUntil('the change', () =>
        changes.slice(before).some(({ kind }) => kind === 'tools'),
      );
      const { items } = await listAll(session, 'tools');
      assert.deepEqual(
        items.map(({ name }) => name),
        [...names, 'fresh'],
      );
    },
  },
  {
    name: 'LOG-01, LOG-03: takes log messages of the level that was set',
    async run({ session, logs }) {
      await session.setLogLevel('warning');
      await textOf(session, 'log');
      assert.deepEqual(logs, [{ level: 'warning', logger: 'matrix', data: { text: 'hello' } }]);
    },
  },
  {
    name: 'RES-07, RES-08: is told of a resource that it watches, and no longer after',
    async run({ session, changes }) {
      const uri = 'demo://a';
      await session.watch([uri]);
      assert.equal(await textOf(session, 'touch'), '1');
      await waitUntil('the change', () =>
        changes.some((change) => change.kind === 'resource' && change.uri === uri),
      );
      await session.watch([]);
      // Where a stream is closed for it, the server may take a moment to notice.
      while ((await textOf(session, 'touch')) !== '0');
    },
  },
  {
    name: 'STDIO-08, HTTP-07, SSE-05, WS-04: a server that goes fails the call, the outcome in doubt',
    async run({ session, cell, closes }) {
      await assert.rejects(textOf(session, 'die'), { code: 'closed', message: /unknown/u });
      if (cell.transport === 'Streamable HTTP') {
        // Each request has a connection of its own: the next one finds the server again.
        assert.equal(await textOf(session, 'echo', { value: 'back' }), 'back');
      } else {
        await waitUntil('the end', () => closes.length > 0);
        assert.notEqual(closes[0]?.kind, 'requested');
      }
    },
  },
  {
    name: 'BASE-08, BASE-09, TRAP-07: takes a batch, and answers it in an array only where arrays exist',
    isPossible: hasServerRequests,
    async run({ session, cell }) {
      const ways = await textOf(session, 'batch');
      const expected = revisions[cell.revision].batches ? 'in an array' : 'alone';
      assert.equal(ways, `${expected}, ${expected}`);
    },
  },
  {
    name: 'BASE-13: bears members, notifications and replies that nobody knows',
    async run({ session }) {
      const result = await session.call('tools/call', { name: 'strange' }, { onProgress: ignore });
      assert.equal(result.content[0]?.type, 'text');
      assert.equal(await textOf(session, 'echo', { value: 'on' }), 'on');
    },
  },
  {
    name: 'BASE-01, BASE-03, BASE-10, TR-01: sends one message a frame, with ids that are never used twice',
    async run({ session }) {
      await ask(session, 'roots/list', {});
      await listAll(session, 'tools');
      const frames = await receivedBy(session);
      const ids: unknown[] = [];
      for (const frame of frames) {
        assert.ok('jsonrpc' in frame, 'an array was sent');
        assert.equal(frame.jsonrpc, '2.0');
        if (frame.method !== undefined && frame.id !== undefined) {
          ids.push(frame.id);
        }
      }
      assert.equal(new Set(ids).size, ids.length);
    },
  },
];

/** The youngest feature that the revision does not have. */
function refusedBefore(revision: Revision): { readonly method?: string } {
  return revisions[revision].elicitationModes.length === 0 ? { method: 'elicitation/create' } : {};
}

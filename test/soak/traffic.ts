/** What is done with one server again and again, and what came of it. Knows nothing of faults and measurements. */
import { delay, settlesWithin } from '../../src/base/async.ts';
import type { ServerConnection } from '../../src/host/servers/connection.ts';
import { isMcpError } from '../../src/mcp/errors.ts';
import type { CallOptions } from '../../src/mcp/session/session.ts';

/** After all limits of time, on a busy machine. */
export const hungMs = 90_000;
const never = new AbortController().signal;
const uri = 'matrix://soak';

type Act = (connection: ServerConnection, n: number) => Promise<string>;

/** Runs one of them. `result`, the code of an error, or a word that begins with `wrong`. */
export async function act(name: ActName, connection: ServerConnection, n: number): Promise<string> {
  const outcome = acts[name](connection, n).catch((error: unknown) =>
    isMcpError(error) ? error.code : `wrong: ${String(error)}`,
  );
  return (await settlesWithin(outcome, hungMs)) ? outcome : 'hung';
}

const acts = {
  call: (connection, n) =>
    tool(connection, 'echo', { value: `call ${n}` }).then((text) => right(text === `call ${n}`)),
  list: (connection) =>
    connection.withSession(async (session, signal) => {
      const { tools } = await session.call('tools/list', {}, { signal, isFresh: true });
      return right(tools.length > 0);
    }, never),
  catalog: async (connection) => {
    connection.catalog.refresh();
    await connection.catalog.whenSettled('tools');
    return 'result';
  },
  read: async (connection, n) => {
    const [first] = await connection.resources.read(`${uri}/${n % 7}`, never);
    return right(first?.kind === 'text' && first.text === `${uri}/${n % 7}`);
  },
  subscription: async (connection, n) => {
    const watch = connection.resources.watch(`${uri}/${n % 5}`);
    try {
      await connection.resources.whenWatched();
      return right(/^\d+$/u.test(await tool(connection, 'touch', {})));
    } finally {
      watch.dispose();
    }
  },
  listChanged: async (connection) => right((await tool(connection, 'change', {})) === 'changed'),
  cancel: async (connection) => {
    const controller = new AbortController();
    const waiting = tool(connection, 'wait', {}, { signal: controller.signal });
    const [outcome] = await Promise.allSettled([waiting, delay(30).then(() => controller.abort())]);
    return outcome.status === 'rejected' ? 'result' : 'wrong: not cancelled';
  },
  timeout: async (connection) => {
    try {
      await tool(connection, 'wait', {}, { times: { idleMs: 40 } });
      return 'wrong: answered';
    } catch (error) {
      return isMcpError(error) && error.code === 'timeout' ? 'result' : Promise.reject(error);
    }
  },
  progress: async (connection) => {
    const seen: number[] = [];
    const text = await tool(
      connection,
      'progress',
      {},
      { onProgress: ({ progress }) => seen.push(progress) },
    );
    return right(text === 'done' && seen.join() === '1,2,3');
  },
  elicitation: async (connection) => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const params = { message: 'Who?', requestedSchema };
    const text = await tool(connection, 'ask', { method: 'elicitation/create', params });
    // The server hears of it when it has asked too often.
    return right(text.includes('"accept"') || text.includes('"error"'));
  },
  // The server ends instead of an answer.
  crash: (connection) => tool(connection, 'die', {}),
} as const satisfies Record<string, Act>;

export type ActName = keyof typeof acts;

/** How often each of them in a hundred. */
export const shares: Readonly<Record<ActName, number>> = {
  call: 34,
  list: 10,
  catalog: 6,
  read: 14,
  subscription: 8,
  listChanged: 5,
  cancel: 8,
  timeout: 3,
  progress: 8,
  elicitation: 4,
  crash: 0,
};

/** @param point in [0, 1) */
export function chooseAct(point: number): ActName {
  let left = point * 100;
  for (const name of actNames) {
    left -= shares[name];
    if (left < 0) {
      return name;
    }
  }
  return 'call';
}

const actNames: readonly ActName[] = [
  'call',
  'list',
  'catalog',
  'read',
  'subscription',
  'listChanged',
  'cancel',
  'timeout',
  'progress',
  'elicitation',
];

function right(isRight: boolean): string {
  return isRight ? 'result' : 'wrong answer';
}

async function tool(
  connection: ServerConnection,
  name: string,
  args: Readonly<Record<string, unknown>>,
  { signal = never, ...options }: CallOptions = {},
): Promise<string> {
  const result = await connection.withSession(
    (session, both) =>
      session.call('tools/call', { name, arguments: args }, { ...options, signal: both }),
    signal,
  );
  const [first] = result.content;
  return first?.type === 'text' ? first.text : '';
}

/** What a server on stdio lists, asked without any of the product: the counts that the product has to come to. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';

const methods = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const;

export type Counts = Readonly<Record<keyof typeof methods, number>>;

/** For a server that adds to its lists after the handshake and says so, as server-everything does. */
export async function countsOf(command: string, args: readonly string[]): Promise<Counts> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  let nextId = 0;
  const changed = new EventEmitter();
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const call = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      nextId += 1;
      waiting.set(nextId, resolve);
      send({ id: nextId, method, params });
    });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method, result } = JSON.parse(line);
    if (method === 'roots/list') {
      send({ id, result: { roots: [] } });
    } else if (method === undefined) {
      waiting.get(id)?.(result);
    } else if (String(method).endsWith('list_changed')) {
      changed.emit('changed');
    }
  });
  try {
    await call('initialize', {
      protocolVersion: '2025-11-25',
      // What the product declares: the server has tools for each.
      capabilities: {
        roots: { listChanged: true },
        elicitation: { form: {}, url: {} },
        sampling: { tools: {} },
        tasks: {
          list: {},
          cancel: {},
          requests: { elicitation: { create: {} }, sampling: { createMessage: {} } },
        },
      },
      clientInfo: { name: 'counter', version: '1.0.0' },
    });
    const settled = once(changed, 'changed');
    send({ method: 'notifications/initialized' });
    await settled;
    const entries = Object.entries(methods).map(async ([key, method]) => {
      const items = (await call(method))[key];
      return [key, Array.isArray(items) ? items.length : -1];
    });
    return Object.fromEntries(await Promise.all(entries));
  } finally {
    child.kill();
  }
}

/**
 * Runs in a thread in which a file cannot be loaded, as in a process that is out of descriptors, and sends one request.
 * Posts what came of it.
 */
import { registerHooks } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/** What {@link workerData} is. */
export interface WithoutLateFiles {
  /** How its specifier ends. */
  readonly missing: string;
  /** Of a server on Streamable HTTP; else there is a program to start. */
  readonly url?: string;
  readonly command?: string;
}

const { missing, url, command = '' }: WithoutLateFiles = workerData;
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier.endsWith(missing)) {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    }
    return nextResolve(specifier, context);
  },
});

async function ask(): Promise<void> {
  const { createStreamableHttpTransport } =
    await import('../../src/mcp/transport/streamableHttp.ts');
  const { createStdioTransport } = await import('../../src/mcp/transport/stdio.ts');
  const transport =
    url === undefined
      ? createStdioTransport({ command, args: [], env: {} })
      : createStreamableHttpTransport({ url: new URL(url), headers: {} });
  try {
    await transport.start(new AbortController().signal);
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  } finally {
    await transport.close();
  }
}

const outcome = await ask().then(
  () => 'answered',
  (error: unknown) => String(error),
);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort?.postMessage(outcome);

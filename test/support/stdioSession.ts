/** Real connections over stdio to the scripted servers of test/servers. */
import { fileURLToPath } from 'node:url';
import { type Binding, connect } from '../../src/mcp/client/connect.ts';
import type { ClientOptions, Session } from '../../src/mcp/session/session.ts';
import { createStdioTransport } from '../../src/mcp/transport/stdio/stdio.ts';
import type { Diagnostic } from '../../src/mcp/transport/transport.ts';
import { hello } from './hello.ts';

const stopTimes = { afterEndOfInputMs: 2_000, afterTermMs: 2_000, afterKillMs: 5_000 };

export function stdioBinding(script: string, ...args: readonly string[]): Binding {
  return stdioBindingIn({}, script, ...args);
}

/** With additions to the environment. */
export function stdioBindingIn(
  env: Readonly<Record<string, string>>,
  script: string,
  ...args: readonly string[]
): Binding {
  const path = fileURLToPath(new URL(`../servers/${script}`, import.meta.url));
  return {
    label: 'stdio',
    wire: 'pipe',
    eras: ['legacy'],
    connect: () =>
      createStdioTransport({
        command: process.execPath,
        args: [path, ...args],
        env: { ...process.env, ...env },
        stopTimes,
      }),
  };
}

export interface Opened {
  readonly session: Session;
  readonly diagnostics: readonly Diagnostic[];
}

/** The diagnostics of the opening and of the session. */
export async function openStdio(
  binding: Binding,
  overrides: Partial<ClientOptions> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Opened> {
  const diagnostics: Diagnostic[] = [];
  const note = (diagnostic: Diagnostic): unknown => diagnostics.push(diagnostic);
  const session = await connect([binding], hello(overrides), signal, note);
  session.onDidDiagnose(note);
  return { session, diagnostics };
}

/** The text that a tool of tools.mjs answers with. */
export async function textOf(
  session: Session,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: Parameters<Session['call']>[2] = {},
): Promise<string> {
  const { content } = await session.call('tools/call', { name, arguments: args }, options);
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}

interface ReceivedMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Everything that tools.mjs was sent so far. */
export async function receivedBy(session: Session): Promise<readonly ReceivedMessage[]> {
  const { structuredContent } = await session.call('tools/call', { name: 'received' });
  const copy: { readonly received: readonly ReceivedMessage[] } = JSON.parse(
    JSON.stringify(structuredContent),
  );
  return copy.received;
}

/** A channel to a server that works, with something between that can be told of a fault. What the fault does to calls is not seen here. */
import type { ResolvedLaunch } from '../../src/host/launch/launchGate.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Revision } from '../../src/mcp/revisions.ts';
import { startHost, type TransportName } from '../servers/matrix/matrixHosts.ts';
import { nodeLaunch } from '../support/realHost.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { FaultyLink } from './faultyLink.ts';
import { FaultyTls } from './faultyTls.ts';
import { type Fault, isFlood, isTlsFault } from './kinds.ts';

/** Milliseconds: after all limits of time, on a busy machine. */
export const hungMs = 60_000;

export interface Channel {
  readonly launch: ResolvedLaunch;
  /** Resolves when the fault has met something, where that may be later than the calls. */
  whenMet(): Promise<void>;
  /** Ids of all processes of the server so far. */
  pids(): readonly number[];
  /** Resolves when the fault has begun, or is over. */
  setFault(fault: Fault | undefined): Promise<void>;
  close(): Promise<void>;
}

/** @param fault that is to come: one of TLS wants a channel that is encrypted from the start */
export async function openChannel(
  transport: TransportName,
  revision: Revision,
  fault: Fault,
): Promise<Channel> {
  const server = await startHost(transport, revision);
  const { launch } = server;
  if (launch.kind === 'stdio') {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-faults-'));
    const control = join(folder, 'fault');
    const seen = `${control}.seen`;
    const pids = `${control}.pids`;
    writeFileSync(control, '');
    const wrapper = fileURLToPath(new URL('faultyPipe.ts', import.meta.url));
    return {
      launch: nodeLaunch([wrapper, control, launch.command, ...launch.args]),
      setFault: async (now) => {
        writeFileSync(control, now ?? '');
        // When it is over, there may be no process to see it.
        if (now !== undefined) {
          await waitUntil(
            'the fault to begin',
            () => existsSync(seen) && readFileSync(seen, 'utf8') === now,
            hungMs,
          );
        }
      },
      whenMet: async () => undefined,
      pids: () =>
        existsSync(pids) ? readFileSync(pids, 'utf8').trimEnd().split('\n').map(Number) : [],
      close: async () => {
        await server.close();
        await rm(folder, { recursive: true });
      },
    };
  }
  const url = new URL(launch.url);
  const port = Number(url.port);
  const { link, setFault, whenMet } = await (isTlsFault(fault)
    ? openTls(port)
    : openLink(port, transport));
  url.port = String(link.port);
  const secure = url.href.replace(/^(http|ws):/u, '$1s:');
  return {
    launch: { ...launch, url: isTlsFault(fault) ? secure : url.href },
    setFault: async (now) => setFault(now),
    whenMet,
    pids: () => [],
    close: async () => {
      await link.close();
      await server.close();
    },
  };
}

interface Between {
  readonly link: FaultyLink | FaultyTls;
  readonly setFault: (fault: Fault | undefined) => void;
  readonly whenMet: () => Promise<void>;
}

async function openLink(port: number, transport: TransportName): Promise<Between> {
  const link = await FaultyLink.open(port);
  const setFault = (fault: Fault | undefined): void => {
    if (transport === 'HTTP+SSE' && fault !== undefined && isFlood(fault)) {
      link.fault = 'close'; // what listens for events asks for them again, and meets the flood
    }
    link.fault = fault;
  };
  const whenMet = async (): Promise<void> => {
    if (link.fault !== undefined && isFlood(link.fault)) {
      await waitUntil('an answer that is a flood', () => link.badAnswers > 0, hungMs);
    }
  };
  return { link, setFault, whenMet };
}

async function openTls(port: number): Promise<Between> {
  const link = await FaultyTls.open(port);
  const setFault = (fault: Fault | undefined): void => {
    link.fault = fault !== undefined && isTlsFault(fault) ? fault : undefined;
  };
  // Calls fail with the connections that were there; the handshakes come with the next ones.
  const whenMet = (): Promise<void> =>
    waitUntil('a handshake that fails', () => link.failures > 0, hungMs);
  return { link, setFault, whenMet };
}

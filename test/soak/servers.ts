/** The servers of the soak: of all channels in turn, those on standard streams by themselves, the others in farms. */
import type { Revision } from '../../src/mcp/revisions.ts';
import { startHost, type TransportName } from '../servers/matrix/matrixHosts.ts';
import { Farm, type Plot } from './farm.ts';
import type { SoakServer } from './soakHost.ts';

const channels: readonly (readonly [TransportName, Revision])[] = [
  ['stdio', '2025-11-25'],
  ['Streamable HTTP', '2025-11-25'],
  ['WebSocket', '2026-07-28'],
  ['HTTP+SSE', '2025-11-25'],
  ['stdio', '2026-07-28'],
  ['Streamable HTTP', '2026-07-28'],
  ['WebSocket', '2025-11-25'],
];
/** Servers that are killed at once. */
const farmSize = 12;

export interface SoakServers {
  readonly byName: ReadonlyMap<string, SoakServer>;
  readonly farms: readonly Farm[];
  close(): Promise<void>;
}

export async function openServers(count: number): Promise<SoakServers> {
  const byName = new Map<string, SoakServer>();
  const closings: (() => Promise<void>)[] = [];
  const plots: (Plot & { readonly name: string })[] = [];
  for (let index = 0; index < count; index += 1) {
    const [transport, revision] = channels[index % channels.length] ?? ['stdio', '2025-11-25'];
    const name = `${transport} ${index}`;
    if (transport === 'stdio') {
      const host = await startHost(transport, revision);
      closings.push(() => host.close());
      byName.set(name, { launch: host.launch, revision });
    } else {
      plots.push({ name, transport, revision, port: 0 });
    }
  }
  const farms: Farm[] = [];
  while (plots.length > 0) {
    const some = plots.splice(0, farmSize);
    const farm = new Farm(some);
    farms.push(farm);
    closings.push(() => farm.kill());
    const launches = await farm.start();
    for (const [index, { name, revision }] of some.entries()) {
      const launch = launches[index];
      if (launch !== undefined) {
        byName.set(name, { launch, revision });
      }
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all(closings.map((end) => end()));
  };
  return { byName, farms, close };
}

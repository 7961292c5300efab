/** The host of the soak: every server may run, every form is accepted, and nothing that is logged is kept. */
import type { ResolvedLaunch } from '../../src/host/launch/launchGate.ts';
import { noAudit } from '../../src/host/audit/audit.ts';
import { Elicitation } from '../../src/host/elicitation/elicitation.ts';
import type { ElicitationUi } from '../../src/host/elicitation/elicitationUi.ts';
import { featuresFor } from '../../src/host/servers/features.ts';
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import type { ServerId } from '../../src/host/config/serverConfig.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { ServerConnection } from '../../src/host/servers/connection.ts';
import type { McpHost } from '../../src/host/servers/host.ts';
import type { Revision } from '../../src/mcp/revisions.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { openGate, realHost } from '../support/realHost.ts';
import { stdioServer } from '../support/serverConfigs.ts';

export interface SoakServer {
  readonly launch: ResolvedLaunch;
  readonly revision: Revision;
}

const ui: ElicitationUi = {
  fillForm: async () => 'accept',
  confirmLink: async () => 'decline',
  awaitReturn: async () => 'decline',
  openLink: async () => false,
  tell: () => undefined,
};
const timeouts = { startMs: 60_000, requestMs: 10_000, totalMs: 20_000 };

export class SoakHost {
  readonly #servers: ReadonlyMap<string, SoakServer>;
  /** Of a server's entry: how often it was changed. */
  readonly #changes = new Map<string, number>();
  readonly #host: McpHost;

  constructor(servers: ReadonlyMap<string, SoakServer>) {
    this.#servers = servers;
    const roots = new WorkspaceRoots(new FakeWorkspace([]));
    const elicitation = new Elicitation({
      questions: new QuestionQueue(),
      ui,
      checker: createSchemaChecker,
      clock: systemClock,
      audit: noAudit,
    });
    this.#host = realHost({
      features: (asked) => featuresFor(asked, { roots, elicitation: () => elicitation }),
      gate: openGate(({ name }) => this.#server(name).launch),
    });
    this.#reconcile();
  }

  connection(name: string): ServerConnection {
    const connection = this.#host.servers.get(idOf(name));
    if (connection === undefined) {
      throw new Error(`There is no server ${name}`);
    }
    return connection;
  }

  /** Whether all of them run. Those that were given up are started by hand, as the user would. */
  areReady(): boolean {
    let areAll = true;
    for (const connection of this.#host.servers.values()) {
      if (connection.state.kind === 'failed' || connection.state.kind === 'stopped') {
        connection.start().catch(() => undefined); // its state says so
      }
      areAll &&= connection.state.kind === 'ready';
    }
    return areAll;
  }

  get states(): string {
    return [...this.#host.servers.values()]
      .map(({ config, state }) => `${config.name}: ${state.kind}`)
      .join(', ');
  }

  /** Changes the entry of a server: it is replaced. */
  change(name: string): void {
    this.#changes.set(name, (this.#changes.get(name) ?? 0) + 1);
    this.#reconcile();
  }

  async close(limitMs: number): Promise<void> {
    await this.#host.close(limitMs);
  }

  #server(name: string): SoakServer {
    const server = this.#servers.get(name);
    if (server === undefined) {
      throw new Error(`There is no server ${name}`);
    }
    return server;
  }

  #reconcile(): void {
    const servers = [...this.#servers].map(([name, { revision }]) =>
      stdioServer(name, {
        startup: 'auto',
        protocol: revision,
        timeouts: { ...timeouts, totalMs: timeouts.totalMs + (this.#changes.get(name) ?? 0) },
      }),
    );
    this.#host.reconcile({ servers, inputs: new Map(), problems: [] });
  }
}

function idOf(name: string): ServerId {
  return stdioServer(name).id;
}

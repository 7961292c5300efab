/** A LaunchGate that lets every server through unless a test says otherwise. */
import type { LaunchGate, Readiness, Resolution } from '../../src/host/launch/launchGate.ts';
import type { ServerConfig, ServerId } from '../../src/host/config/serverConfig.ts';

export class FakeGate implements LaunchGate {
  readonly prepared: ServerId[] = [];
  readonly readinesses = new Map<ServerId, Readiness>();
  /** Of every server. */
  secrets: readonly string[] = [];
  prepareWith: (server: ServerConfig, signal: AbortSignal) => Promise<Resolution> = async (
    server,
  ) => ({
    launch:
      server.launch.kind === 'stdio'
        ? { kind: 'stdio', command: server.launch.command, args: [], env: {}, cwd: '/' }
        : server.launch,
    secrets: this.secrets,
  });

  async prepare(server: ServerConfig, signal: AbortSignal): Promise<Resolution> {
    this.prepared.push(server.id);
    return this.prepareWith(server, signal);
  }

  async readiness(server: ServerConfig): Promise<Readiness> {
    return this.readinesses.get(server.id) ?? 'ready';
  }
}

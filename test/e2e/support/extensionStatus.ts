// What the extension in a window says of itself and its servers, by the file that the extension of the demo keeps.
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { patienceMs, until } from './until.ts';

/** One server as the extension's exports describe it. */
export interface ServerStatus {
  readonly name: string;
  readonly scope: string;
  readonly state: string;
  readonly revision?: string;
  readonly transport?: string;
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  readonly error?: string;
}

export interface Status {
  readonly active: boolean;
  readonly error?: string;
  readonly servers: readonly ServerStatus[];
}

export class ExtensionStatus {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** What the extension itself says of its servers. */
  async status(): Promise<Status> {
    return until('the extension to be active', () => this.read(), Boolean).then(
      (status) => status ?? assert.fail('no status'),
    );
  }

  /** Waits until the server `name` is in `state`, by what the extension says. */
  async waitForServer(name: string, state: string, timeoutMs = patienceMs): Promise<ServerStatus> {
    const status = await until(
      `the server ${name} to be ${state}`,
      () => this.status(),
      ({ servers }) => servers.some((server) => server.name === name && server.state === state),
      timeoutMs,
    );
    return status.servers.find((server) => server.name === name && server.state === state)!;
  }

  /** What the extension has said so far counts no more: of one that is about to be started again. */
  async forget(): Promise<void> {
    await rm(this.#file, { force: true });
  }

  /** Undefined while it has said nothing. */
  async read(): Promise<Status | undefined> {
    try {
      const status: Status = JSON.parse(await readFile(this.#file, 'utf8'));
      return status;
    } catch {
      return undefined;
    }
  }
}

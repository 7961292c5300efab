/**
 * Which servers the user has given tokens of the editor's own accounts. The editor asks once for the
 * whole extension; what one server gets is kept here, by its URL. Holds names, no tokens.
 */
import { Sequencer } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import type { Memory } from '../ports.ts';

export interface AccountGrant {
  /** Origin and path of the server. */
  readonly serverUrl: string;
  /** Of `vscode.authentication`: `github`. */
  readonly provider: string;
  /** `octocat`. */
  readonly account: string;
}

const memoryKey = 'mcpHost.accountAccess';

export class AccountAccess {
  readonly #memory: Memory;
  readonly #writes = new Sequencer();

  /** @param memory that all workspaces share, as they share the accounts */
  constructor(memory: Memory) {
    this.#memory = memory;
  }

  list(): readonly AccountGrant[] {
    const stored = this.#memory.get(memoryKey);
    return Array.isArray(stored) ? stored.filter(isGrant) : [];
  }

  has(serverUrl: string, provider?: string): boolean {
    return this.list().some(
      (grant) =>
        grant.serverUrl === serverUrl && (provider === undefined || grant.provider === provider),
    );
  }

  async allow(grant: AccountGrant): Promise<void> {
    await this.#write((others) => [...others.filter((other) => !isSame(other, grant)), grant]);
  }

  /** @param provider every one of the server when left out */
  async revoke(serverUrl: string, provider?: string): Promise<void> {
    await this.#write((grants) =>
      grants.filter(
        (grant) =>
          grant.serverUrl !== serverUrl || (provider !== undefined && grant.provider !== provider),
      ),
    );
  }

  async #write(
    change: (grants: readonly AccountGrant[]) => readonly AccountGrant[],
  ): Promise<void> {
    await this.#writes.run(async () => this.#memory.set(memoryKey, change(this.list())));
  }
}

function isSame(one: AccountGrant, other: AccountGrant): boolean {
  return one.serverUrl === other.serverUrl && one.provider === other.provider;
}

function isGrant(value: unknown): value is AccountGrant {
  return (
    isObject(value) &&
    isString(value['serverUrl']) &&
    isString(value['provider']) &&
    isString(value['account'])
  );
}

/**
 * Which servers the user has given tokens of the editor's own accounts. The editor asks once for the
 * whole extension; what one server gets is kept here. Holds names, no tokens.
 */
import { Sequencer } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { isSameOwner, type SignInOwner } from '../../mcp/auth/credentials.ts';
import type { Memory } from '../ports.ts';

export interface AccountGrant {
  readonly owner: SignInOwner;
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

  has(owner: SignInOwner, provider?: string): boolean {
    return this.list().some(
      (grant) =>
        isSameOwner(grant.owner, owner) && (provider === undefined || grant.provider === provider),
    );
  }

  async allow(grant: AccountGrant): Promise<void> {
    await this.#write((others) => [...others.filter((other) => !isSame(other, grant)), grant]);
  }

  async revoke(grant: AccountGrant): Promise<void> {
    await this.#write((grants) => grants.filter((other) => !isSame(other, grant)));
  }

  async #write(
    change: (grants: readonly AccountGrant[]) => readonly AccountGrant[],
  ): Promise<void> {
    await this.#writes.run(async () => this.#memory.set(memoryKey, change(this.list())));
  }
}

function isSame(one: AccountGrant, other: AccountGrant): boolean {
  return isSameOwner(one.owner, other.owner) && one.provider === other.provider;
}

function isGrant(value: unknown): value is AccountGrant {
  return (
    isObject(value) &&
    isOwner(value['owner']) &&
    isString(value['provider']) &&
    isString(value['account'])
  );
}

function isOwner(value: unknown): boolean {
  return (
    isObject(value) && ['scope', 'server', 'url', 'route'].every((part) => isString(value[part]))
  );
}

/**
 * Which servers the user has given tokens of the editor's own accounts, and for which permissions. The editor asks once
 * for the whole extension; what each server may get is kept here. Holds names, no tokens. Knows the issuers whose
 * accounts come with VS Code.
 */
import { Sequencer } from '../../base/async.ts';
import { isObject, isString, isStringArray } from '../../base/json.ts';
import { isSameOwner, type SignInOwner } from '../../mcp/auth/credentials.ts';
import type { Memory } from '../storage.ts';

export interface AccountGrant {
  readonly owner: SignInOwner;
  /** Of `vscode.authentication`: `github`. */
  readonly provider: string;
  /** `octocat`. */
  readonly account: string;
  /** All that was shown: permissions, and parameters of the provider. */
  readonly scopes: readonly string[];
}

/**
 * Whether a yes covers all of this: at most these permissions, exactly these parameters (leaving one out changes the
 * meaning, too), and this account.
 * @param yes.account undefined where the user chose it after that
 * @param account undefined where it is not known yet
 */
export function covers(
  yes: Pick<AccountGrant, 'scopes'> & { readonly account?: string },
  scopes: readonly string[],
  account: string | undefined,
): boolean {
  return (
    scopes.every((scope) => yes.scopes.includes(scope)) &&
    yes.scopes.filter(isParameter).every((scope) => scopes.includes(scope)) &&
    (account === undefined || yes.account === undefined || yes.account === account)
  );
}

/** Whether a scope is a parameter for VS Code's provider rather than a permission: `VSCODE_CLIENT_ID:…`. */
export function isParameter(scope: string): boolean {
  return scope.startsWith('VSCODE_');
}

const memoryKey = 'mcpHost.accountAccess';

export class AccountAccess {
  readonly #memory: Memory;
  readonly #writes = new Sequencer();

  /** @param memory shared by all workspaces, like the accounts */
  constructor(memory: Memory) {
    this.#memory = memory;
  }

  list(): readonly AccountGrant[] {
    const stored = this.#memory.get(memoryKey);
    return Array.isArray(stored) ? stored.filter(isGrant) : [];
  }

  /** @param provider absent: any */
  grantOf(owner: SignInOwner, provider?: string): AccountGrant | undefined {
    return this.list().find(
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
    isString(value['account']) &&
    isStringArray(value['scopes'])
  );
}

function isOwner(value: unknown): boolean {
  return (
    isObject(value) && ['scope', 'server', 'url', 'route'].every((part) => isString(value[part]))
  );
}

interface KnownAccount {
  /** Of `vscode.authentication`. */
  readonly provider: string;
  /** Scopes for the provider itself, besides the server's. */
  readonly scopes: readonly string[];
}

const gitHub = /^https:\/\/github\.com\/login\/oauth\/?$/u;
const microsoft = /^https:\/\/login\.microsoftonline\.com\/([\w.-]+)\/v2\.0\/?$/u;
/** Microsoft's tenants for accounts of every organization, as VS Code uses by default. */
const anyTenant: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers']);

/** Undefined for any other issuer: a URL that only resembles a known one gets nothing. */
export function knownAccountOf(issuer: string): KnownAccount | undefined {
  if (gitHub.test(issuer)) {
    return { provider: 'github', scopes: [] };
  }
  const tenant = microsoft.exec(issuer)?.[1];
  if (tenant === undefined) {
    return undefined;
  }
  // VS Code's provider takes the tenant as a scope of this form.
  const scopes = anyTenant.has(tenant) ? [] : [`VSCODE_TENANT:${tenant}`];
  return { provider: 'microsoft', scopes };
}

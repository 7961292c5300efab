/**
 * The issuers whose accounts come with VS Code. Others decide whether this editor has a provider for them, and which
 * server may use an account.
 */

export interface KnownAccount {
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

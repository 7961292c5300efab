/**
 * The issuers whose accounts come with VS Code. Whether this editor has what signs in at them, and
 * which server may use an account, is decided elsewhere.
 */

export interface KnownAccount {
  /** Of `vscode.authentication`. */
  readonly provider: string;
  /** What the provider has to be told besides the scopes of the server. */
  readonly scopes: readonly string[];
}

const gitHub = /^https:\/\/github\.com\/login\/oauth\/?$/u;
const microsoft = /^https:\/\/login\.microsoftonline\.com\/([\w.-]+)\/v2\.0\/?$/u;
/** Places of Microsoft's where accounts of every organization sign in, as VS Code does by itself. */
const anyTenant: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers']);

/** Undefined for any other issuer: an address that only resembles a known one gets nothing. */
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

// What the tests use of oidc-provider, which has no types of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface AccessToken {
    readonly accountId: string;
    readonly aud: string | readonly string[];
    readonly isExpired: boolean;
    readonly scope?: string;
  }

  /** Of koa, as far as it is needed. */
  export interface Context {
    readonly body: unknown;
    readonly oidc?: { readonly params?: Readonly<Record<string, unknown>> };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: { find(value: string): Promise<AccessToken | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    on(event: string, listener: (context: Context, detail: unknown) => void): this;
  }
}

/**
 * The redirect URI when the browser may run on another machine than the extension: an address of the editor's own page,
 * from which the editor passes the answer to this extension.
 */
import * as vscode from 'vscode';
import { raceSignal } from '../../base/async.ts';
import { McpError } from '../../mcp/errors.ts';
import { extensionId } from '../ids.ts';
import { wayBack } from './returnPage.ts';

/** All sign-ins share one address, and are told apart by `state`. */
export class UriReturns {
  readonly #waiting = new Map<string, (parameters: URLSearchParams) => void>();

  receive(query: string): void {
    // The editor's page passes the query as received, still encoded.
    const parameters = new URLSearchParams(query);
    // An answer with another `state`, or without one, is ignored.
    this.#waiting.get(parameters.get('state') ?? '')?.(parameters);
  }

  /** @throws McpError `cancelled`, or the signal's own */
  async returned(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    const answered = new Promise<URLSearchParams>((resolve) => {
      this.#waiting.set(state, resolve);
    });
    try {
      return await raceSignal(answered, signal);
    } finally {
      this.#waiting.delete(state);
    }
  }
}

/**
 * A redirect URI that leads to the handler.
 * @throws McpError `unsupported` when the address of the editor's page must not be a redirect URI: it has to be https,
 * or this machine (MCP authorization, Communication Security)
 */
export async function uriOfHandler(): Promise<string> {
  const own = vscode.Uri.from({
    scheme: vscode.env.uriScheme,
    authority: extensionId,
    path: wayBack,
  });
  const external = await vscode.env.asExternalUri(own);
  // The editor has encoded it already; `true` keeps it from encoding the `=` of the query again.
  const url = URL.parse(external.toString(true));
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname))) {
    return url.href;
  }
  throw new McpError(
    'unsupported',
    vscode.l10n.t(
      'After signing in, the browser has to come back to the editor, but it cannot use {0}, which is not encrypted. Open the editor over https, or set "oauth": { "callbackPort": … } in the entry to a port that leads from your browser to the machine of the extensions.',
      url?.origin ?? external.scheme,
    ),
  );
}

export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]';
}

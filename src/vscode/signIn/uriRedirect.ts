/**
 * Where the browser comes back to when it may run on another machine than the extension: an address of
 * the editor's own page, from where the editor hands the answer to this extension.
 */
import * as vscode from 'vscode';
import { raceSignal } from '../../base/async.ts';
import { McpError } from '../../mcp/errors.ts';
import { extensionId } from '../ids.ts';
import { wayBack } from './returnPage.ts';

/** Sign-ins come back to one address, and are told apart by `state`. */
export class UriReturns {
  readonly #waiting = new Map<string, (parameters: URLSearchParams) => void>();

  receive(query: string): void {
    // The editor's page gives the query as it was received, still encoded.
    const parameters = new URLSearchParams(query);
    // An answer with another `state`, or without one, is thrown away.
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
 * @throws McpError `unsupported` when the editor's page is at no address that one may be sent back to:
 *   it has to be https, or this machine (MCP authorization, Communication Security)
 */
export async function uriOfHandler(): Promise<string> {
  const own = vscode.Uri.from({
    scheme: vscode.env.uriScheme,
    authority: extensionId,
    path: wayBack,
  });
  const external = await vscode.env.asExternalUri(own);
  // Encoded by the editor already: it would encode the `=` of the query otherwise.
  const url = URL.parse(external.toString(true));
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname))) {
    return url.href;
  }
  throw new McpError(
    'unsupported',
    vscode.l10n.t(
      'After signing in, the browser has to come back to the editor, and {0} is no address for that: it is not encrypted. Open the editor over https, or set "oauth": { "callbackPort": … } in the entry to a port that leads from your browser to the machine of the extensions.',
      url?.origin ?? external.scheme,
    ),
  );
}

export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]';
}

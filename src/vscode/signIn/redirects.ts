/**
 * Chooses the redirect URI of a sign-in, and shows that the editor waits for it. A desktop editor listens on a port of
 * this machine, and forwards it itself when the extension runs elsewhere; an editor in a browser gets the answer from
 * its own page.
 */
import * as vscode from 'vscode';
import { after, raceSignal } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { RedirectListener, RedirectWish } from '../../host/signIn/signInUi.ts';
import { McpError } from '../../mcp/errors.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import { oneLine } from '../text/labelText.ts';
import type { UriRouter } from '../editor/uris.ts';
import { LoopbackRedirect, type PageWords, wayBack } from './loopbackRedirect.ts';
import { extensionId } from '../ids.ts';

/** How long the editor waits for the browser: the user may have to create an account first. */
const browserLimitMs = 15 * 60_000;

export class Redirects implements Disposable {
  readonly #uris: UriRouter;
  /** By `state`: all sign-ins share the editor's own address. */
  readonly #waiting = new Map<string, (parameters: URLSearchParams) => void>();
  #registration: Disposable | undefined;

  constructor(uris: UriRouter) {
    this.#uris = uris;
  }

  /**
   * @throws McpError `invalidConfig` if the configured port is in use, `unsupported` if no browser can come back to
   * this editor
   */
  async prepare(wish: RedirectWish): Promise<RedirectListener> {
    // A user who sets a port has made it lead from the browser to here.
    const isByHandler = wish.port === undefined && vscode.env.uiKind === vscode.UIKind.Web;
    const listener = isByHandler ? await this.#byHandler() : await byLoopback(wish);
    return {
      ...listener,
      returned: async (state, signal) =>
        whileWaiting(wish, (own) => listener.returned(state, own), signal),
    };
  }

  dispose(): void {
    this.#registration?.dispose();
  }

  async #byHandler(): Promise<RedirectListener> {
    this.#registration ??= this.#uris.on(wayBack, (query) => {
      // The editor's page passes the query as received, still encoded.
      const parameters = new URLSearchParams(query);
      // An answer with another `state`, or without one, is ignored.
      this.#waiting.get(parameters.get('state') ?? '')?.(parameters);
    });
    return {
      uri: await uriOfHandler(),
      returned: async (state, signal) => {
        const answered = new Promise<URLSearchParams>((resolve) => {
          this.#waiting.set(state, resolve);
        });
        try {
          return await raceSignal(answered, signal);
        } finally {
          this.#waiting.delete(state);
        }
      },
      finish: () => undefined, // the editor itself shows the final page in the browser
      dispose: () => undefined,
    };
  }
}

async function byLoopback({ uri, port }: RedirectWish): Promise<RedirectListener> {
  const listener = await listen(port, uri);
  try {
    return {
      uri: await asSeenByBrowser(listener.uri),
      returned: async (state, signal) => listener.returned(state, signal),
      finish: (outcome) => listener.finish(outcome),
      dispose: () => listener.dispose(),
    };
  } catch (error) {
    listener.dispose();
    throw error;
  }
}

/**
 * A port of the settings must be free: the server would refuse another. One of an earlier sign-in is only preferred.
 */
async function listen(
  wished: number | undefined,
  uri: string | undefined,
): Promise<LoopbackRedirect> {
  const earlier = uri === undefined ? undefined : portOf(uri);
  const port = wished ?? earlier;
  try {
    return await LoopbackRedirect.listen(words(), port);
  } catch (error) {
    if (wished !== undefined) {
      throw new McpError(
        'invalidConfig',
        vscode.l10n.t(
          'Port {0}, which "callbackPort" of the entry names for signing in, is in use by another program. End that program, or choose another port that the authorization server knows.',
          wished,
        ),
        { cause: error },
      );
    }
    if (earlier === undefined) {
      throw error;
    }
    return LoopbackRedirect.listen(words());
  }
}

function portOf(uri: string): number | undefined {
  const url = URL.parse(uri);
  return url !== null && isLoopback(url) && url.pathname === wayBack && url.port !== ''
    ? Number(url.port)
    : undefined;
}

/** The same URI, unless the extension runs on another machine than the editor. */
async function asSeenByBrowser(uri: string): Promise<string> {
  if (vscode.env.remoteName === undefined || vscode.env.uiKind === vscode.UIKind.Web) {
    return uri;
  }
  const external = (await vscode.env.asExternalUri(vscode.Uri.parse(uri, true))).toString(true);
  const url = URL.parse(external);
  if (url?.protocol === 'http:' && isLoopback(url)) {
    return url.href;
  }
  throw new McpError(
    'unsupported',
    vscode.l10n.t('The editor could not forward the port that the browser needs after signing in.'),
  );
}

async function whileWaiting<T>(
  { server, clientId }: RedirectWish,
  wait: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const name = oneLine(server, 60);
  const hint =
    clientId === undefined
      ? ''
      : vscode.l10n.t(
          'If the page there does not know the client {0}, correct "clientId" in the entry.',
          oneLine(clientId, 60),
        );
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: vscode.l10n.t('Signing in to "{0}": continue in your browser', name),
    },
    async (progress, token) => {
      progress.report({ message: hint });
      const ending = new AbortController();
      const end = (text: string): void => ending.abort(new McpError('signInNeeded', text));
      token.onCancellationRequested(() =>
        end([vscode.l10n.t('You cancelled signing in to "{0}".', name), hint].join(' ').trim()),
      );
      const limit = after(browserLimitMs, () => {
        const text = vscode.l10n.t(
          'You did not come back from the browser within {0} minutes. Sign in to "{1}" again when you are ready.',
          browserLimitMs / 60_000,
          name,
        );
        void vscode.window.showWarningMessage(text);
        end(text);
      });
      try {
        return await wait(AbortSignal.any([signal, ending.signal]));
      } finally {
        limit.dispose();
      }
    },
  );
}

function words(): PageWords {
  const close = vscode.l10n.t('You can close this page and go back to the editor.');
  return {
    language: vscode.env.language,
    signedIn: { title: vscode.l10n.t('You are signed in'), text: close },
    failed: {
      title: vscode.l10n.t('You are not signed in'),
      text: vscode.l10n.t('The editor says why. You can close this page and try again there.'),
    },
    answered: { title: vscode.l10n.t('The editor has the answer'), text: close },
    unexpected: {
      title: vscode.l10n.t('Nothing was done'),
      text: vscode.l10n.t(
        'The editor is not waiting for this answer. It belongs to another sign-in, or was already used. Start again from the editor.',
      ),
    },
  };
}

/**
 * A redirect URI that leads to the handler.
 * @throws McpError `unsupported` when the address of the editor's page must not be a redirect URI: it has to be https,
 * or this machine (MCP authorization, Communication Security)
 */
async function uriOfHandler(): Promise<string> {
  const own = vscode.Uri.from({
    scheme: vscode.env.uriScheme,
    authority: extensionId,
    path: wayBack,
  });
  const external = await vscode.env.asExternalUri(own);
  // The editor has encoded it already; `true` keeps it from encoding the `=` of the query again.
  const url = URL.parse(external.toString(true));
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) {
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

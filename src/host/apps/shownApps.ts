/**
 * Which of the apps that reach sites outside of the editor are shown: those that the user has shown in this workspace,
 * having read the sites. The answer is bound to the server's entry and to the page with everything that it may do: after
 * a change of either it is gone (APP-20, APP-27).
 */
import { Emitter } from '../../base/event.ts';
import { isString, type JsonObject } from '../../base/json.ts';
import type { Audit } from '../audit/audit.ts';
import type { RememberedScope, ServerConfig, ServerId } from '../config/serverConfig.ts';
import { type AnswerMemories, RememberedAnswers } from '../toolApproval/rememberedAnswers.ts';
import { launchHash } from '../toolApproval/trustedServers.ts';
import type { UiResource } from './uiResource.ts';

const memoryKey = 'mcpHost.shownApps';

/** An app that the user has shown. */
export interface ShownApp {
  readonly serverId: ServerId;
  /** For display, as it was when the user answered. */
  readonly serverName: string;
  readonly uri: string;
  readonly scope: RememberedScope;
  /** Of what the server's entry starts or connects to. */
  readonly launch: string;
  /** Of the page. */
  readonly hash: string;
}

/**
 * `given`: the app may be shown, since it reaches no sites, or the user has read them. `changed`: the user has read those
 * of another page, or under another entry.
 */
export type Consent = 'given' | 'changed' | 'none';

export class ShownApps {
  readonly #answers: RememberedAnswers<ShownApp>;
  readonly #audit: Audit;
  readonly #revoked = new Emitter<void>();
  /** The user has taken an answer back. */
  readonly onDidRevoke = this.#revoked.event;

  constructor(services: AnswerMemories & { readonly audit: Audit }) {
    this.#answers = new RememberedAnswers(memoryKey, services, keyOf, toShownApp);
    this.#audit = services.audit;
  }

  consent(server: ServerConfig, app: UiResource): Consent {
    const reachesSites = Object.values(app.policy.csp ?? {}).some((sites) => sites.length > 0);
    const launch = launchHash(server);
    const answers = this.list().filter(
      (shown) => shown.serverId === server.id && shown.uri === app.uri,
    );
    const isGiven = answers.some((shown) => shown.launch === launch && shown.hash === app.hash);
    if (!reachesSites || isGiven) {
      return 'given';
    }
    return answers.length > 0 ? 'changed' : 'none';
  }

  /** In place of the answer about an older page of the app. */
  async add(server: ServerConfig, { uri, hash }: UiResource): Promise<void> {
    const shown: ShownApp = {
      serverId: server.id,
      serverName: server.name,
      uri,
      scope: 'workspace',
      launch: launchHash(server),
      hash,
    };
    this.#record('remembered', shown);
    await this.#answers.add(shown);
  }

  list(): readonly ShownApp[] {
    return this.#answers.list();
  }

  async revoke(app: ShownApp): Promise<void> {
    this.#record('revoked', app);
    await this.#answers.remove(app);
    this.#revoked.fire();
  }

  #record(event: 'remembered' | 'revoked', { serverName, uri, scope }: ShownApp): void {
    this.#audit.record({
      event,
      server: serverName,
      caller: 'user',
      app: uri,
      outcome: 'done',
      by: 'hand',
      because: scope,
      durationMs: 0,
    });
  }
}

function keyOf({ serverId, uri }: ShownApp): string {
  return JSON.stringify([serverId, uri]);
}

function toShownApp(stored: JsonObject, scope: RememberedScope): ShownApp | undefined {
  const { serverId, serverName, uri, launch, hash } = stored;
  return isString(serverId) &&
    isString(serverName) &&
    isString(uri) &&
    isString(launch) &&
    isString(hash)
    ? { serverId, serverName, uri, scope, launch, hash }
    : undefined;
}

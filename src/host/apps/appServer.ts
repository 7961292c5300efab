/** A server as its apps use it: no request of theirs starts it once it was stopped (APP-80). */
import { refusalFor } from '../servers/connectionTexts.ts';
import type { UiServer } from './uiResource.ts';

export type AppServer = Pick<UiServer, 'config' | 'catalog' | 'withSession'>;

export function withoutStarts(server: UiServer): AppServer {
  const { config, catalog } = server;
  const withSession: AppServer['withSession'] = async (...use) => {
    const { kind } = server.state;
    if (kind === 'stopped' || kind === 'stopping') {
      throw refusalFor(config, undefined);
    }
    return server.withSession(...use);
  };
  return { config, catalog, withSession };
}

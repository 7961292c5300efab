/**
 * The bundles that are loaded on first use (`scripts/support/bundles.json` names them for the build). Types are imported,
 * code is not.
 */
import { t } from '../base/l10n.ts';
import { lazily } from '../base/lazily.ts';
import type { LastDialog } from '../host/questions/reading.ts';
import type * as apps from './apps.ts';
import type * as chat from './chat.ts';
import type * as imports from './import.ts';
import type * as schemas from './schemas.ts';
import type * as servers from './servers.ts';
import type * as signIn from './signIn.ts';
import type * as workbench from './workbench.ts';

export interface Bundles {
  readonly apps: () => typeof apps;
  readonly chat: () => typeof chat;
  readonly imports: () => typeof imports;
  readonly schemas: () => typeof schemas;
  readonly servers: () => typeof servers;
  readonly signIn: () => typeof signIn;
  readonly workbench: () => typeof workbench;
}

/** A bundle has its own copy of base/event.ts, and of base/l10n.ts. */
interface WithEvents {
  setUnexpectedErrorHandler(handler: (error: unknown) => void): void;
  setTranslator(translator: typeof t): void;
}

/** And of host/questions/reading.ts. */
interface WithDialogs extends WithEvents {
  shareLastDialog(last: LastDialog): void;
}

/**
 * @param onError gets errors that no caller of a bundle receives
 * @param last what all bundles share
 */
export function lazyBundles(onError: (error: unknown) => void, last: LastDialog): Bundles {
  const heard = <T extends WithEvents>(load: () => T): (() => T) =>
    lazily(() => {
      const bundle = load();
      bundle.setUnexpectedErrorHandler(onError);
      bundle.setTranslator(t);
      return bundle;
    });
  const asking = <T extends WithDialogs>(load: () => T): (() => T) =>
    heard(() => {
      const bundle = load();
      bundle.shareLastDialog(last);
      return bundle;
    });
  return {
    apps: asking<typeof apps>(() => require('./apps.cjs')),
    chat: asking<typeof chat>(() => require('./chat.cjs')),
    imports: asking<typeof imports>(() => require('./import.cjs')),
    schemas: () => require('./schemas.cjs'),
    servers: heard<typeof servers>(() => require('./servers.cjs')),
    signIn: asking<typeof signIn>(() => require('./signIn.cjs')),
    workbench: asking<typeof workbench>(() => require('./workbench.cjs')),
  };
}

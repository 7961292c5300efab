/**
 * What is loaded on first use: each entry point that `esbuild.mjs` builds beside the extension, by the
 * name of its file. Types are imported, code is not.
 */
import type * as api from './api.ts';
import type * as approval from './approval.ts';
import type * as audit from './audit.ts';
import type * as auth from './auth.ts';
import type { Disposable } from './base/disposable.ts';
import { lazily } from './base/lazily.ts';
import type * as bridge from './bridge.ts';
import type * as chat from './chat.ts';
import type * as diagnosis from './diagnosis.ts';
import type * as dev from './dev.ts';
import type * as commands from './commands.ts';
import type * as dialogs from './dialogs.ts';
import type * as documents from './documents.ts';
import type * as elicitation from './elicitation.ts';
import type { SchemaChecker } from './host/ports.ts';
import type * as imports from './import.ts';
import type * as inspector from './inspector.ts';
import type * as launch from './launch.ts';
import type * as protocol from './protocol.ts';
import type * as requests from './requests.ts';
import type * as sampling from './sampling.ts';
import type * as schemas from './schemas.ts';
import type * as tools from './tools.ts';
import type * as tree from './tree.ts';

/** A bundle with a copy of base/event.ts of its own. */
interface WithEvents {
  setUnexpectedErrorHandler(handler: (error: unknown) => void): void;
}

export interface Bundles {
  readonly api: () => typeof api;
  readonly approval: () => typeof approval;
  readonly audit: () => typeof audit;
  readonly auth: () => typeof auth;
  readonly bridge: () => typeof bridge;
  readonly chat: () => typeof chat;
  readonly diagnosis: () => typeof diagnosis;
  readonly dev: () => typeof dev;
  readonly commands: () => typeof commands;
  readonly dialogs: () => typeof dialogs;
  readonly documents: () => typeof documents;
  readonly elicitation: () => typeof elicitation;
  readonly imports: () => typeof imports;
  readonly inspector: () => typeof inspector;
  readonly launch: () => typeof launch;
  readonly protocol: () => typeof protocol;
  readonly requests: () => typeof requests;
  readonly sampling: () => typeof sampling;
  readonly schemas: () => typeof schemas;
  readonly tools: () => typeof tools;
  readonly tree: () => typeof tree;
}

/** @param onError gets what no caller of a bundle can receive */
export function lazyBundles(onError: (error: unknown) => void): Bundles {
  const heard = <T extends WithEvents>(load: () => T): (() => T) =>
    lazily(() => {
      const bundle = load();
      bundle.setUnexpectedErrorHandler(onError);
      return bundle;
    });
  return {
    api: heard<typeof api>(() => require('./api.cjs')),
    approval: () => require('./approval.cjs'),
    audit: () => require('./audit.cjs'),
    auth: heard<typeof auth>(() => require('./auth.cjs')),
    bridge: heard<typeof bridge>(() => require('./bridge.cjs')),
    chat: () => require('./chat.cjs'),
    diagnosis: () => require('./diagnosis.cjs'),
    dev: heard<typeof dev>(() => require('./dev.cjs')),
    commands: () => require('./commands.cjs'),
    dialogs: () => require('./dialogs.cjs'),
    documents: heard<typeof documents>(() => require('./documents.cjs')),
    elicitation: heard<typeof elicitation>(() => require('./elicitation.cjs')),
    imports: heard<typeof imports>(() => require('./import.cjs')),
    inspector: heard<typeof inspector>(() => require('./inspector.cjs')),
    launch: () => require('./launch.cjs'),
    protocol: heard<typeof protocol>(() => require('./protocol.cjs')),
    requests: () => require('./requests.cjs'),
    sampling: heard<typeof sampling>(() => require('./sampling.cjs')),
    schemas: () => require('./schemas.cjs'),
    tools: () => require('./tools.cjs'),
    tree: heard<typeof tree>(() => require('./tree.cjs')),
  };
}

/** One for all. @param own disposes what it is given with the extension */
export function lazyChecker(
  bundles: Pick<Bundles, 'protocol' | 'schemas'>,
  own: (part: Disposable) => void,
): () => SchemaChecker {
  return lazily(() => {
    const checker = bundles.schemas().createSchemaChecker(bundles.protocol().reaper);
    own(checker);
    return checker;
  });
}

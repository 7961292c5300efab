/** The script that speaks a revision. */
import { LegacyScript } from './legacyScript.ts';
import { ModernScript } from './modernScript.ts';
import type { Script, ServedBy } from './script.ts';

export function scriptFor(revision: string, served: ServedBy): Script {
  return revision === '2026-07-28' ? new ModernScript(served) : new LegacyScript(revision, served);
}

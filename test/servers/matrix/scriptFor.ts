/** The script that speaks a revision. */
import { LegacyScript } from './legacyScript.ts';
import { ModernScript } from './modernScript.ts';
import type { MatrixScript, ServedBy } from './matrixScript.ts';

export function scriptFor(revision: string, served: ServedBy): MatrixScript {
  return revision === '2026-07-28' ? new ModernScript(served) : new LegacyScript(revision, served);
}

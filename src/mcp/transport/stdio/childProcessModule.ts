/** `node:child_process`, loaded with the first process: a client of remote servers only never needs it. */
import type * as childProcess from 'node:child_process';

export function childProcessModule(): typeof childProcess {
  return process.getBuiltinModule('node:child_process');
}

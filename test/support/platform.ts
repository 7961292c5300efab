/** What only some systems have: a test of it is declared there, so that none passes without having looked. */

/** A test of signals, modes of files or login shells, which Windows does not have. */
export function itOnPosix(title: string, test: () => Promise<void> | void): void {
  if (process.platform !== 'win32') {
    it(title, test);
  }
}

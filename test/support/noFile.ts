/** What Node says of a file that is not there. */
export function noFile(path: string): Error {
  const text = `ENOENT: no such file or directory, open '${path}'`;
  return Object.assign(new Error(text), { code: 'ENOENT', path, syscall: 'open' });
}

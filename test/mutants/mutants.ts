/** All mutants. */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { authMutants } from './lists/auth.ts';
import { eraMutants } from './lists/era.ts';
import { hostMutants } from './lists/host.ts';
import { httpMutants } from './lists/http.ts';
import { launchMutants } from './lists/launch.ts';
import { machineMutants } from './lists/machine.ts';
import { modernMutants } from './lists/modern.ts';
import { rpcMutants } from './lists/rpc.ts';
import { stdioMutants } from './lists/stdio.ts';
import { webSocketMutants } from './lists/webSocket.ts';
import type { Mutant } from './mutant.ts';

export const mutants: readonly Mutant[] = [
  ...stdioMutants,
  ...httpMutants,
  ...webSocketMutants,
  ...rpcMutants,
  ...eraMutants,
  ...modernMutants,
  ...authMutants,
  ...launchMutants,
  ...machineMutants,
  ...hostMutants,
];

/** Those whose text is there, each with the file that has it: code moves. */
export async function placedIn(root: string): Promise<readonly Mutant[]> {
  const texts = new Map<string, string>();
  for (const file of await readdir(path.join(root, 'src'), { recursive: true })) {
    if (file.endsWith('.ts')) {
      const place = path.posix.join('src', file.replaceAll(path.sep, '/'));
      texts.set(place, await readFile(path.join(root, place), 'utf8'));
    }
  }
  return mutants.flatMap((mutant) => {
    const own = texts.get(mutant.file)?.includes(mutant.find) === true ? [mutant.file] : undefined;
    const [file, ...others] =
      own ?? [...texts.keys()].filter((name) => texts.get(name)?.includes(mutant.find));
    const times = (texts.get(file ?? '') ?? '').split(mutant.find).length - 1;
    return file !== undefined && others.length === 0 && times === 1 ? [{ ...mutant, file }] : [];
  });
}

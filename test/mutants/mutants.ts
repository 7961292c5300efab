/** All mutants. */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { appMutants } from './lists/apps.ts';
import { authMutants } from './lists/auth.ts';
import { eraMutants } from './lists/era.ts';
import { hostMutants } from './lists/host.ts';
import { httpMutants } from './lists/http.ts';
import { launchMutants } from './lists/launch.ts';
import { machineMutants } from './lists/machine.ts';
import { modernMutants } from './lists/modern.ts';
import { rpcMutants } from './lists/rpc.ts';
import { skillMutants } from './lists/skills.ts';
import { stdioMutants } from './lists/stdio.ts';
import { webSocketMutants } from './lists/webSocket.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

export const mutants: readonly Mutant[] = [
  stdioMutants,
  httpMutants,
  webSocketMutants,
  rpcMutants,
  eraMutants,
  modernMutants,
  authMutants,
  launchMutants,
  machineMutants,
  hostMutants,
  skillMutants,
  appMutants,
].flatMap(mutantsOf);

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
    const files = [...texts.keys()].filter((name) => texts.get(name)?.includes(mutant.find));
    const file = files.includes(mutant.file) ? mutant.file : files[0];
    const isPlain = file === mutant.file || files.length === 1;
    const times = (texts.get(file ?? '') ?? '').split(mutant.find).length - 1;
    return file !== undefined && isPlain && times === 1 ? [{ ...mutant, file }] : [];
  });
}

/** What is wrong with the list itself, in all of it: a line for each. */
export async function misfitsIn(root: string): Promise<readonly string[]> {
  const placed = new Set((await placedIn(root)).map(({ name }) => name));
  const rules = await readFile(path.join(root, 'docs/rules.md'), 'utf8');
  const promises = await readFile(path.join(root, 'SECURITY.md'), 'utf8');
  const names = new Set<string>();
  return mutants.flatMap((mutant) => {
    const { name, rule, find, replacement } = mutant;
    const isRule = rules.includes(`\n| ${rule} |`) || promises.includes(`# ${rule}\n`);
    const problems = [
      ...(names.has(name) ? ['the name is used twice'] : []),
      ...(isRule ? [] : [`there is no rule ${rule}`]),
      ...(find === replacement ? ['it changes nothing'] : []),
      ...(placed.has(name)
        ? []
        : [`its text is not once in ${mutant.file}, nor elsewhere: ${find}`]),
    ];
    names.add(name);
    return problems.map((problem) => `${name}: ${problem}`);
  });
}

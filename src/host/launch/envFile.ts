/** The format of environment files, which only a launch needs: it is kept out of what is loaded at start. */
import { parse } from 'dotenv';

/** The variables of an envFile. Values are taken as they stand: nothing in them is expanded. */
export function parseEnvFile(text: string): Readonly<Record<string, string>> {
  // Without `fast` it takes an expression that tries each run of blanks from each of its places.
  return parse(text, { fast: true });
}

/** Parses environment files. Only a launch needs this, so it is not loaded at activation. */
import { parse } from 'dotenv';

/** The variables of an envFile. Values are literal: nothing in them is expanded. */
export function parseEnvFile(text: string): Readonly<Record<string, string>> {
  // Without `fast` the package uses an expression that takes quadratic time on runs of blanks.
  return parse(text, { fast: true });
}

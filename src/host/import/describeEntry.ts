/** What an imported entry would run or reach, in lines for the user. Values that look like secrets are left out. */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { findSecrets, withoutSecrets } from './secretPlaces.ts';

const hidden = '•••';

/** The command with its arguments, or the URL, in one line. */
export function summaryOf(entry: JsonObject): string {
  const { command, args, url } = masked(entry);
  return [command ?? url, ...(Array.isArray(args) ? (args as readonly unknown[]) : [])]
    .filter(isString)
    .join(' ');
}

/** Everything else that decides what the server does: environment, headers, files, folders, and the way to it. */
export function detailsOf(entry: JsonObject): readonly string[] {
  const { env, headers, cwd, envFile, tls, proxy, sandbox } = masked(entry);
  return [
    ...Object.entries(isObject(env) ? env : {}).map(([name, value]) => `${name}=${text(value)}`),
    ...Object.entries(isObject(headers) ? headers : {}).map(
      ([name, value]) => `${name}: ${text(value)}`,
    ),
    ...(isString(envFile) ? [`envFile: ${envFile}`] : []),
    ...(isString(cwd) ? [`cwd: ${cwd}`] : []),
    ...Object.entries({ tls, proxy, sandbox }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${text(value)}`],
    ),
  ];
}

function masked(entry: JsonObject): JsonObject {
  return withoutSecrets(entry, findSecrets(entry), () => hidden);
}

function text(value: unknown): string {
  return isString(value) ? value : JSON.stringify(value);
}

/** Reads leniently what a server says of itself, in either era. Its name is only a claim, for display (META-10). */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { readIcons } from '../iconSources.ts';
import { type Revision, revisions } from '../revisions.ts';
import type { ServerDescription } from '../session/session.ts';
import type { Implementation, ServerCapabilities } from '../types/methods.ts';

/**
 * @param result of `initialize` or `server/discover`
 * @param info how the server names itself
 */
export function describeServer(
  { capabilities, instructions }: JsonObject,
  info: unknown,
  revision: Revision,
  transport: string,
): ServerDescription {
  return {
    revision,
    era: revisions[revision].era,
    transport,
    info: readImplementation(info),
    capabilities: readCapabilities(capabilities),
    instructions: isString(instructions) && instructions !== '' ? instructions : undefined,
  };
}

/** `false` and `null` declare nothing; `true` declares the feature without its flags. */
function readCapabilities(value: unknown): ServerCapabilities {
  const declared = Object.entries(isObject(value) ? value : {}).filter(
    ([, capability]) => capability !== undefined && capability !== null && capability !== false,
  );
  return Object.fromEntries(
    declared.map(([name, capability]) => [name, isObject(capability) ? readFlags(capability) : {}]),
  );
}

/** Only `true` sets a flag; other members are kept as they are. */
function readFlags(capability: JsonObject): JsonObject {
  const { subscribe, listChanged, ...rest } = capability;
  return {
    ...rest,
    ...(subscribe === true && { subscribe }),
    ...(listChanged === true && { listChanged }),
  };
}

/** Servers omit either member, or the whole object. */
function readImplementation(value: unknown): Implementation {
  const info: JsonObject = isObject(value) ? value : {};
  const text = (name: string): string | undefined => {
    const member = info[name];
    return isString(member) && member !== '' ? member : undefined;
  };
  return {
    name: text('name') ?? 'unnamed',
    version: text('version') ?? 'unknown',
    title: text('title'),
    description: text('description'),
    websiteUrl: text('websiteUrl'),
    icons: readIcons(info['icons']),
  };
}

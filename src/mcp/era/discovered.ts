/** What a server says of itself in its answer to `server/discover`. */
import { type JsonObject, isObject, isString } from '../../base/json.ts';
import { type Revision, revisions } from '../revisions.ts';
import { readCapabilities } from './capabilities.ts';
import { readImplementation } from './implementation.ts';
import { metaKeys } from './requestMeta.ts';
import type { Channel, ServerDescription } from './session.ts';

/** What `server/discover` led to. */
export interface Discovered {
  readonly revision: Revision;
  readonly result: JsonObject;
}

export function describeServer(
  channel: Channel,
  { revision, result }: Discovered,
): ServerDescription {
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  const { instructions } = result;
  return {
    revision,
    era: revisions[revision].era,
    transport: channel.label,
    // In the body where servers follow a draft (META-11).
    info: readImplementation(meta[metaKeys.serverInfo] ?? result['serverInfo']),
    capabilities: readCapabilities(result['capabilities']),
    instructions: isString(instructions) && instructions !== '' ? instructions : undefined,
  };
}

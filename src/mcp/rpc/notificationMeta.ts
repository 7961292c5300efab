/**
 * Reads the `_meta` that a server adds to its notifications. The specification's own names are left out:
 * they tie a notification to a task or a stream of this one connection.
 *
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/index#_meta
 */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Params } from '../types/message.ts';

const ownNames = 'io.modelcontextprotocol/';

export interface WithMeta {
  readonly _meta?: JsonObject;
}

/** Returns an empty object when nothing is left. */
export function metaOf({ _meta }: Params): WithMeta {
  const added = isObject(_meta)
    ? Object.entries(_meta).filter(([name]) => !name.startsWith(ownNames))
    : [];
  return added.length === 0 ? {} : { _meta: Object.fromEntries(added) };
}

/** Which resource of which server is meant, wherever one has to be named outside of its connection. */
import { isObject, isString } from '../../base/json.ts';
import type { ServerId } from '../config/serverConfig.ts';

export interface ResourceAddress {
  readonly serverId: ServerId;
  readonly uri: string;
}

/** The same text for the same address, and for no other. */
export function addressKey({ serverId, uri }: ResourceAddress): string {
  return JSON.stringify([serverId, uri]);
}

/** Whether a value that was stored is an address. */
export function isResourceAddress(value: unknown): value is ResourceAddress {
  return isObject(value) && isString(value['serverId']) && isString(value['uri']);
}

/** Identifies a resource and its server outside of the connection. */
import { isObject, isString } from '../../base/json.ts';
import type { ServerId } from '../config/serverConfig.ts';

export interface ResourceAddress {
  readonly serverId: ServerId;
  readonly uri: string;
}

/** The same text for the same address only. */
export function addressKey({ serverId, uri }: ResourceAddress): string {
  return JSON.stringify([serverId, uri]);
}

/** Whether a stored value is an address. */
export function isResourceAddress(value: unknown): value is ResourceAddress {
  return isObject(value) && isString(value['serverId']) && isString(value['uri']);
}

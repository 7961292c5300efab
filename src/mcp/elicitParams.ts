/**
 * Reads the params of `elicitation/create` and the data of error -32042. Checks the shape only; whoever
 * shows the form decides whether it can show the schema.
 */
import { isObject, isString, type JsonObject } from '../base/json.ts';
import { truncated } from '../base/text.ts';
import { invalidParams, isRpcError, rpcCodes } from './errors.ts';
import { type Revision, revisions } from './revisions.ts';
import type { ElicitRequest, ElicitUrlRequest } from './types/clientFeatures.ts';

/** Limit of characters in a URL. No browser and no program that opens URLs takes many more. */
const maxUrlChars = 16_384;

/** @throws RpcError -32602 naming the wrong parameter, or the mode that was not declared (ELIC-03). */
export function readElicitRequest(params: JsonObject, revision: Revision): ElicitRequest {
  const { mode = 'form', message } = params;
  const known = revisions[revision].elicitationModes.find((name) => name === mode);
  if (known === undefined) {
    throw invalidParams(`mode ${shown(mode)} is not supported in revision ${revision}`);
  }
  if (!isString(message)) {
    throw invalidParams('"message" must be a string');
  }
  return known === 'form' ? readForm(message, params) : readUrl(message, params, revision);
}

/**
 * The elicitations that error -32042 requires before the request is sent again (ELIC-29). Undefined for any
 * other error, and when the data is not valid.
 */
export function requiredElicitations(
  error: unknown,
  revision: Revision,
): readonly ElicitUrlRequest[] | undefined {
  const isRequired = isRpcError(error) && error.rpcCode === rpcCodes.urlElicitationRequired;
  if (!isRequired || !revisions[revision].elicitationModes.includes('url')) {
    return undefined;
  }
  const list = isObject(error.data) ? error.data['elicitations'] : undefined;
  if (!Array.isArray(list) || list.length === 0) {
    return undefined;
  }
  const requests = list.map((params) => readListed(params, revision));
  // If one is not valid, the request would fail again.
  return requests.every((request) => request !== undefined) ? requests : undefined;
}

function readListed(params: unknown, revision: Revision): ElicitUrlRequest | undefined {
  if (!isObject(params) || (params['mode'] ?? 'url') !== 'url') {
    return undefined;
  }
  const { message } = params;
  try {
    return readUrl(isString(message) ? message : '', params, revision);
  } catch {
    return undefined;
  }
}

function readForm(message: string, { requestedSchema }: JsonObject): ElicitRequest {
  if (!isObject(requestedSchema)) {
    throw invalidParams('"requestedSchema" must be an object');
  }
  return { mode: 'form', message, requestedSchema };
}

function readUrl(
  message: string,
  { elicitationId, url }: JsonObject,
  revision: Revision,
): ElicitUrlRequest {
  if (isString(url) && url.length > maxUrlChars) {
    throw invalidParams(`"url" must have at most ${maxUrlChars} characters`);
  }
  if (!isString(url) || !URL.canParse(url)) {
    throw invalidParams('"url" must be a valid URL');
  }
  if (revisions[revision].era === 'modern') {
    return { mode: 'url', message, url };
  }
  if (!isString(elicitationId) || elicitationId === '') {
    throw invalidParams('"elicitationId" must be a string that is not empty');
  }
  return { mode: 'url', message, elicitationId, url };
}

function shown(value: unknown): string {
  return truncated(JSON.stringify(value) ?? String(value), 100);
}

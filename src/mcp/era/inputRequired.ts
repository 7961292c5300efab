/**
 * Requests that take several round trips: the server answers that it needs input, the client's features
 * supply it, and the request is sent again with the answers. This file has the loop and its limits;
 * featureHandlers.ts reads the input requests.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import { t } from '../../base/l10n.ts';
import { delay, raceSignal, toError } from '../../base/async.ts';
import { type JsonObject, isObject, isString } from '../../base/json.ts';
import { McpError, abortedError, isMcpError, isRpcError, rpcCodes } from '../errors.ts';
import type { Revision } from '../revisions.ts';
import { answersOf } from './featureHandlers.ts';
import { cancelledByUser, type RunningRequest } from '../rpc/peer.ts';
import type { AskContext, ClientFeatures } from '../session/session.ts';

/** Limit of rounds for one call (MRTR-15). */
const maxRounds = 10;
/** Pause before a retry without answers, doubled each time (MRTR-06). */
const firstPauseMs = 250;
const maxPauseMs = 5_000;

export interface InputContext {
  /** For messages. */
  readonly method: string;
  readonly features: ClientFeatures;
  readonly revision: Revision;
  /** Aborts when nobody waits for the call any more, or the connection ends. */
  readonly signal: AbortSignal;
}

/**
 * Sends the request again until the result is no longer `input_required`. Keeps nothing from an earlier
 * round (MRTR-09, MRTR-14).
 * @param first the answer to the original call
 * @param send sends the call again, with these members added to its params
 * @param answer answers `inputRequests`
 * @throws McpError `protocol` for input requests that are not allowed, or too many rounds; `denied` when
 *   one is refused, after which nothing is sent (MRTR-16); `cancelled`; any error of `send`
 */
export async function untilComplete(
  first: unknown,
  send: (added: JsonObject) => Promise<unknown>,
  answer: (requests: JsonObject) => Promise<JsonObject>,
  context: InputContext,
): Promise<unknown> {
  let result = first;
  let pauseMs = firstPauseMs;
  for (let round = 1; isOfType(result, 'input_required'); round++) {
    if (round === maxRounds) {
      throw new McpError(
        'protocol',
        t(
          'The server asked for input {0} times in one "{1}": the call was ended',
          maxRounds,
          context.method,
        ),
      );
    }
    const { requests, state } = readInputRequired(result, context.method);
    let inputResponses: JsonObject | undefined;
    if (requests === undefined) {
      await pause(pauseMs, context);
      pauseMs = Math.min(maxPauseMs, pauseMs * 2);
    } else {
      inputResponses = await answer(requests);
    }
    result = await send({
      ...(inputResponses && { inputResponses }),
      ...(state !== undefined && { requestState: state }),
    });
  }
  return result;
}

export function isOfType(result: unknown, type: 'input_required' | 'task'): result is JsonObject {
  return isObject(result) && result['resultType'] === type;
}

interface InputRequired {
  readonly requests?: JsonObject;
  /** Opaque: nothing here reads it (MRTR-08). */
  readonly state?: string;
}

/** @throws McpError `protocol` (MRTR-03) */
function readInputRequired(result: JsonObject, method: string): InputRequired {
  const { inputRequests = {}, requestState: state } = result;
  const isReadable = isObject(inputRequests) && (state === undefined || isString(state));
  const hasRequests = isReadable && Object.keys(inputRequests).length > 0;
  if (!isReadable || (!hasRequests && state === undefined)) {
    throw new McpError(
      'protocol',
      t('The server asked for input to "{0}" and did not say which', method),
    );
  }
  return { ...(hasRequests && { requests: inputRequests }), ...(isString(state) && { state }) };
}

/**
 * Gets an answer to every input request (MRTR-05), under the same key (MRTR-13). Checks all of them before
 * it asks anybody. Asks one after the other, since hosts limit what a server may ask at once; a failure ends this.
 * @param requests `inputRequests` of a result or of a task
 * @throws McpError like {@link untilComplete}
 */
export async function answerInputs(
  requests: JsonObject,
  context: InputContext,
): Promise<JsonObject> {
  const asks = Object.entries(requests).map(
    ([key, request]) => [key, toAsk(request, context)] as const,
  );
  const { signal, revision } = context;
  const answers: (readonly [string, unknown])[] = [];
  try {
    for (const [key, answer] of asks) {
      answers.push([key, await raceSignal(answer({ signal, revision }), signal)]);
    }
  } catch (error) {
    throw signal.aborted ? abortedError(signal, `"${context.method}"`) : toLocalError(error);
  }
  return Object.fromEntries(answers);
}

/** Calls whose input is asked for: they run on, although nothing of them waits for the server. */
export class AskingCalls {
  readonly #calls = new Set<RunningRequest>();

  running(): Iterable<RunningRequest> {
    return this.#calls;
  }

  /** @throws McpError like {@link untilComplete} */
  async answer(
    requests: JsonObject,
    call: Pick<RunningRequest, 'method' | 'params' | 'origin' | 'startedAt'>,
    context: InputContext,
  ): Promise<JsonObject> {
    const controller = new AbortController();
    const running: RunningRequest = {
      ...call,
      key: controller,
      isTask: false,
      progress: undefined,
      // No limit counts while a person thinks (MRTR-17).
      dueAt: Infinity,
      times: { idleMs: Infinity, totalMs: Infinity },
      cancel: () => controller.abort(cancelledByUser(call.method)),
      keepWaiting: () => undefined,
    };
    const signal = AbortSignal.any([context.signal, controller.signal]);
    this.#calls.add(running);
    try {
      return await answerInputs(requests, { ...context, signal });
    } finally {
      this.#calls.delete(running);
    }
  }
}

type Ask = (context: AskContext) => Promise<unknown>;

/** @throws McpError `protocol` for a method that no server may request, or that was not declared (MRTR-02, MRTR-04) */
function toAsk(request: unknown, { features, method }: InputContext): Ask {
  const { method: asked, params }: JsonObject = isObject(request) ? request : {};
  const answer = isString(asked) ? answersOf(features).get(asked) : undefined;
  if (answer === undefined) {
    throw new McpError(
      'protocol',
      t(
        'The server asked for what it may not, in answer to "{0}": {1}',
        method,
        JSON.stringify(asked) ?? t('nothing'),
      ),
    );
  }
  return (context) => answer(isObject(params) ? params : {}, context);
}

/** A handler's error is meant for a server. Here no server is told, so the caller gets the error. */
function toLocalError(error: unknown): unknown {
  if (isRpcError(error)) {
    return new McpError(
      error.rpcCode === rpcCodes.invalidParams ? 'protocol' : 'denied',
      t('The server got no answer: {0}', error.message),
      { cause: error },
    );
  }
  return isMcpError(error)
    ? error
    : new McpError('denied', t('The server got no answer: {0}', toError(error).message), {
        cause: error,
      });
}

async function pause(ms: number, { signal, method }: InputContext): Promise<void> {
  try {
    await delay(ms, signal);
  } catch {
    throw abortedError(signal, `"${method}"`);
  }
}

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createPeer } from '../../../../src/mcp/rpc/rpcPeer.ts';
import { FakeTransport } from '../../../support/fakeTransport.ts';

/** What may happen to a conversation; `target` names one of the requests sent so far, or none. */
type Step =
  | { readonly kind: 'request' }
  | { readonly kind: 'result' | 'error' | 'cancel' | 'progress'; readonly target: number }
  | { readonly kind: 'close' | 'end' | 'ask' | 'serverCancel' | 'beginSession' };

const target = fc.integer({ min: 0, max: 12 });
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Step>({ kind: 'request' }) },
    {
      weight: 8,
      arbitrary: fc.record<Step & { target: number }>({
        kind: fc.constantFrom('result', 'error', 'cancel', 'progress'),
        target,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Step>(
        { kind: 'close' },
        { kind: 'end' },
        { kind: 'ask' },
        { kind: 'serverCancel' },
        { kind: 'beginSession' },
      ),
    },
  ),
  { maxLength: 60 },
);

interface Outcome {
  readonly settled: string[];
  readonly controller: AbortController;
  /** The first thing that decided it. */
  decided?: string;
}

describe('RpcPeer under any order of events', () => {
  it('settles every request exactly once, by the first thing that decides it', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const transport = new FakeTransport();
        const peer = createPeer(transport);
        peer.acceptRequests(new Map([['ask', async () => ({})]]));
        const outcomes: Outcome[] = [];
        let isOver = false;
        const decide = (outcome: Outcome | undefined, how: string): void => {
          if (outcome !== undefined && !isOver) {
            outcome.decided ??= how;
          }
        };
        const runStep = (step: Step): void => {
          const outcome = 'target' in step ? outcomes[step.target - 1] : undefined;
          switch (step.kind) {
            case 'request': {
              const added: Outcome = { settled: [], controller: new AbortController() };
              outcomes.push(added);
              added.decided = isOver ? 'closed' : undefined;
              const { signal } = added.controller;
              peer
                .request('x', {}, { idleMs: 60_000, totalMs: 60_000, signal, onProgress: () => {} })
                .then(
                  () => added.settled.push('result'),
                  (error: { code: string }) => added.settled.push(error.code),
                )
                .catch(assert.fail);
              break;
            }
            case 'result':
              decide(outcome, 'result');
              transport.push({ id: step.target, result: {} });
              break;
            case 'error':
              decide(outcome, 'rpc');
              transport.push({ id: step.target, error: { code: 1, message: 'no' } });
              break;
            case 'cancel':
              decide(outcome, 'cancelled');
              outcome?.controller.abort();
              break;
            case 'progress':
              transport.push({
                method: 'notifications/progress',
                params: { progressToken: step.target, progress: 1 },
              });
              break;
            case 'ask':
              transport.push({ id: 'q', method: 'ask' });
              break;
            case 'serverCancel':
              transport.push({ method: 'notifications/cancelled', params: { requestId: 'q' } });
              break;
            case 'beginSession':
              peer.beginSession();
              break;
            case 'close':
              void peer.close();
              isOver = true;
              break;
            case 'end':
              transport.end();
              isOver = true;
              break;
          }
        };
        script.forEach(runStep);
        await peer.close();
        await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(
          outcomes.map(({ settled }) => settled),
          outcomes.map(({ decided }) => [decided ?? 'closed']),
        );
      }),
      { numRuns: 300 },
    );
  });
});

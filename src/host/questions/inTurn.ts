/** Questions one after the other, with a way back to each. */

/** `skip`: nothing was asked, so Back does not return to it. */
export type TurnEnd<E = never> = E | 'next' | 'back' | 'skip';

/**
 * Runs the steps until all have ended with `next` or `skip`, or one with anything else. After `back` the step that asked
 * last runs again.
 * @returns `back` from the first that asked; `skip` when none did
 */
export async function inTurn<E>(
  steps: readonly (() => Promise<TurnEnd<E>>)[],
): Promise<TurnEnd<E>> {
  const asked: number[] = [];
  for (let index = 0; ;) {
    const step = steps[index];
    if (step === undefined) {
      return asked.length === 0 ? 'skip' : 'next';
    }
    const end = await step();
    if (end === 'next') {
      asked.push(index);
      index += 1;
    } else if (end === 'skip') {
      index += 1;
    } else {
      const before = end === 'back' ? asked.pop() : undefined;
      if (before === undefined) {
        return end;
      }
      index = before;
    }
  }
}

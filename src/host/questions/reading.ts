/**
 * Whether somebody can have read a question before its answer. The editor shows one modal dialog after another and does not
 * say when: one that waited appears where the last one was, under a click that was meant for that.
 */

/** Milliseconds in which nobody can read a question: a faster answer was meant for something else. */
export const readingMs = 1_000;

/** The last dialog that we know of: ours, or the editor's before it opens a link with us. */
export interface LastDialog {
  goneAt: number;
}

let last: LastDialog = { goneAt: 0 };

/** Each bundle has its own copy of this file. */
export function shareLastDialog(shared: LastDialog): void {
  last = shared;
}

/** @returns takes the time of the answer, when the dialog has gone: whether somebody can have read the question */
export function askedAt(asked: number): (answered: number) => boolean {
  return (answered) => {
    const shown = Math.max(asked, last.goneAt);
    last.goneAt = answered;
    return answered - shown >= readingMs;
  };
}

// The time that the extension takes in the extension host of a real editor, from the first line of its bundle
// to the end of `activate`, and the size of what is loaded by then. What the editor does between the two, such
// as reading the state of the extension, is not counted.
import { readFromEditor } from './hostTests.mjs';

const title = 'says what it takes';
const told = /to the last ([\d.]+) \+ ([\d.]+) ms, ([\d.]+) kB/gu;

/** @returns the numbers of each of `reps` windows, as measurements have them */
export async function measureActivation(reps) {
  const windows = await readFromEditor(title, reps, told);
  return windows.map(([, loadMs, runMs, kb]) => ({
    loadMs: Number(loadMs),
    runMs: Number(runMs),
    ms: Number(loadMs) + Number(runMs),
    kb: Number(kb),
  }));
}

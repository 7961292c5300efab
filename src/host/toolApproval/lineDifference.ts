/** The lines that differ between two texts, in order, each after `- ` or `+ `. Pure. */

/** Cells of the table: longer texts are compared without regard to order. */
const maxCells = 1_000_000;

export function lineDifference(before: string, now: string): readonly string[] {
  const [a, b] = [before.split('\n'), now.split('\n')];
  const start = a.findIndex((line, index) => line !== b[index]);
  if (start < 0 && a.length >= b.length) {
    return [];
  }
  const head = start < 0 ? a.length : start;
  return differenceOf(a.slice(head), b.slice(head));
}

function differenceOf(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length * b.length > maxCells) {
    const [inA, inB] = [new Set(a), new Set(b)];
    return [
      ...a.filter((line) => !inB.has(line)).map(removed),
      ...b.filter((line) => !inA.has(line)).map(added),
    ];
  }
  const common = commonLengths(a, b);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      i += 1;
      j += 1;
    } else if (left !== undefined && at(common, i + 1, j) >= at(common, i, j + 1)) {
      lines.push(removed(left));
      i += 1;
    } else if (right !== undefined) {
      lines.push(added(right));
      j += 1;
    } else {
      lines.push(removed(left ?? ''));
      i += 1;
    }
  }
  return lines;
}

/** The number of common lines of both rests, by where the rests begin. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = rows[i];
      if (row !== undefined) {
        row[j] =
          a[i] === b[j]
            ? at(rows, i + 1, j + 1) + 1
            : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
      }
    }
  }
  return rows;
}

function at(rows: readonly Uint32Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}

function removed(line: string): string {
  return `- ${line}`;
}

function added(line: string): string {
  return `+ ${line}`;
}

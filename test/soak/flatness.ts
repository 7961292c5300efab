/** Whether figures that were taken again and again stay where they are, and the table of them. */
import { inMegabytes } from '../support/memoryInUse.ts';

export interface Sample {
  /** Milliseconds since the traffic began. */
  readonly atMs: number;
  /** Operations by then. */
  readonly acts: number;
  /** Bytes in use after a collection, those outside of the heap included. */
  readonly heap: number;
  /** Bytes. */
  readonly rss: number;
  /** What keeps Node alive: sockets, pipes, processes, timers. */
  readonly handles: number;
}

export interface Limits {
  /** Bytes, bytes and a number: by how much each may grow over what is judged. */
  readonly heap: number;
  readonly rss: number;
  readonly handles: number;
}

type Measure = keyof Limits;

export interface Growth {
  readonly measure: Measure;
  readonly growth: number;
  readonly limit: number;
  readonly isFlat: boolean;
}

/**
 * Judges the second half: what is filled once (caches, compiled code, pools of connections) is full by then. The
 * growth is the median of the slopes between any two samples (Theil and Sen), times the time between the first and
 * the last, so that single samples taken at a bad moment count for nothing.
 */
export function judge(samples: readonly Sample[], limits: Limits): readonly Growth[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  const span = (half.at(-1)?.atMs ?? 0) - (half[0]?.atMs ?? 0);
  return (['heap', 'rss', 'handles'] as const).map((measure) => {
    const growth = medianSlope(half.map((sample) => [sample.atMs, sample[measure]])) * span;
    const limit = limits[measure];
    return { measure, growth, limit, isFlat: growth <= limit };
  });
}

function medianSlope(points: readonly (readonly [number, number])[]): number {
  const slopes = points
    .flatMap(([x, y], index) =>
      points.slice(index + 1).map(([later, value]) => (value - y) / (later - x)),
    )
    .toSorted((a, b) => a - b);
  const middle = (slopes.length - 1) / 2;
  return slopes.length === 0
    ? 0
    : ((slopes[Math.floor(middle)] ?? 0) + (slopes[Math.ceil(middle)] ?? 0)) / 2;
}

const barLength = 30;

/** One row each, with a bar for what is in use. */
export function toRows(samples: readonly Sample[]): readonly string[] {
  const most = Math.max(...samples.map(({ rss }) => rss));
  return [
    '| after | operations | heap | RSS | handles | heap (█) and RSS (░) |',
    '| --: | --: | --: | --: | --: | --- |',
    ...samples.map(({ atMs, acts, heap, rss, handles }) => {
      const full = Math.round((heap / most) * barLength);
      const all = Math.round((rss / most) * barLength);
      const bar = `${'█'.repeat(full)}${'░'.repeat(all - full)}`;
      return `| ${Math.round(atMs / 1_000)} s | ${acts} | ${inMegabytes(heap)} | ${inMegabytes(rss)} | ${handles} | ${bar} |`;
    }),
  ];
}

export function describeGrowth({ measure, growth, limit, isFlat }: Growth): string {
  const [is, may] =
    measure === 'handles'
      ? [growth.toFixed(1), String(limit)]
      : [inMegabytes(growth), inMegabytes(limit)];
  return `${measure}: ${is} over the second half, at most ${may}: ${isFlat ? 'flat' : 'GROWS'}`;
}

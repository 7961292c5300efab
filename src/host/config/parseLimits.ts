/** `timeouts` and `limits` of an entry: numbers within bounds → Timeouts, ServerLimits. */
import { t } from '../../base/l10n.ts';
import { withoutUndefined } from '../../base/json.ts';
import { type EntryReader, typeName } from './entryReader.ts';
import type { ServerLimits, Timeouts } from './serverConfig.ts';

interface NumberRule {
  readonly unit: keyof ReturnType<typeof units>;
  readonly max: number;
  /** Set where only whole numbers make sense. */
  readonly isWhole?: true;
  /** Set where 0 is a valid value. */
  readonly mayBeZero?: true;
}

/** The name of each time limit in the settings, its default and its maximum, in seconds. */
const timeLimits = {
  startSeconds: { byDefault: 60, unit: 'seconds', max: 3600 },
  requestSeconds: { byDefault: 60, unit: 'seconds', max: 3600 },
  totalSeconds: { byDefault: 600, unit: 'seconds', max: 21_600 },
  pingSeconds: { unit: 'seconds', max: 3600, mayBeZero: true },
} as const;

export const defaultTimeouts: Timeouts = {
  startMs: timeLimits.startSeconds.byDefault * 1000,
  requestMs: timeLimits.requestSeconds.byDefault * 1000,
  totalMs: timeLimits.totalSeconds.byDefault * 1000,
};

const bytesPerMegabyte = 1024 * 1024;

/** The maximum is what this program, or a person, can handle. */
const limitRules = {
  messageMegabytes: { unit: 'megabytes', max: 256 },
  memoryMegabytes: { unit: 'megabytes', max: 2_048 },
  listItems: { unit: 'items', max: 1_000_000, isWhole: true },
  logMessagesPerSecond: { unit: 'messages', max: 10_000, isWhole: true },
  elicitationsPerMinute: { unit: 'questions', max: 120, isWhole: true },
  samplingPerMinute: { unit: 'requests', max: 120, isWhole: true },
} as const;

export function parseTimeouts(reader: EntryReader): Timeouts {
  const seconds = readNumbers(reader, 'timeouts', timeLimits);
  return withoutUndefined({
    startMs: times(1000, seconds.startSeconds) ?? defaultTimeouts.startMs,
    requestMs: times(1000, seconds.requestSeconds) ?? defaultTimeouts.requestMs,
    totalMs: times(1000, seconds.totalSeconds) ?? defaultTimeouts.totalMs,
    pingMs: times(1000, seconds.pingSeconds),
  });
}

/** Undefined where the entry changes no limit. */
export function parseLimits(reader: EntryReader): ServerLimits | undefined {
  const { messageMegabytes, memoryMegabytes, logMessagesPerSecond, ...others } = readNumbers(
    reader,
    'limits',
    limitRules,
  );
  const limits = withoutUndefined({
    ...others,
    messageBytes: times(bytesPerMegabyte, messageMegabytes),
    memoryBytes: times(bytesPerMegabyte, memoryMegabytes),
    logsPerSecond: logMessagesPerSecond,
  });
  return Object.keys(limits).length === 0 ? undefined : limits;
}

function times(unit: number, value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.ceil(value * unit);
}

/** The numbers of `rules` in the object `field`; wrong ones are reported and left out. */
function readNumbers<N extends string>(
  reader: EntryReader,
  field: string,
  rules: Readonly<Record<N, NumberRule>>,
): { readonly [K in N]?: number } {
  const read = (inner: EntryReader): { readonly [K in N]?: number } => {
    const found: { [K in N]?: number } = {};
    for (const name in rules) {
      const value = inner.raw(name);
      const wrong = value === undefined ? undefined : whatIsWrongWith(value, rules[name]);
      if (wrong !== undefined) {
        inner.fail(name, wrong);
      } else if (typeof value === 'number') {
        found[name] = value;
      }
    }
    return found;
  };
  return reader.section(field, t('an object'), read) ?? {};
}

/** In the plural. */
function units() {
  return {
    seconds: t('seconds'),
    megabytes: t('megabytes'),
    items: t('items'),
    messages: t('messages'),
    questions: t('questions'),
    requests: t('requests'),
  };
}

function whatIsWrongWith(value: unknown, rule: NumberRule): string | undefined {
  const { max, isWhole = false, mayBeZero = false } = rule;
  const unit = units()[rule.unit];
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return t('must be a number of {0}, not {1}', unit, typeName(value));
  }
  if (value < 0 || (value === 0 && !mayBeZero)) {
    return mayBeZero ? t('must be 0 or more {0}', unit) : t('must be more than 0 {0}', unit);
  }
  if (isWhole && !Number.isInteger(value)) {
    return t('must be a whole number of {0}', unit);
  }
  if (value > max) {
    return rule.unit === 'seconds'
      ? t(
          'is given in seconds and must be at most {0}; {1} looks like milliseconds: write {2}',
          max,
          value,
          value / 1000,
        )
      : t('must be at most {0} {1}', max, unit);
  }
  return undefined;
}

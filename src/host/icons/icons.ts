/**
 * The icons of servers and of their items, as files to draw: fetched when a row first needs one, a few at a time. A
 * failed fetch is not repeated with the same connection settings.
 */
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import { truncated } from '../../base/text.ts';
import type { Icon } from '../../mcp/types/content.ts';
import type { Launch, ServerId } from '../config/serverConfig.ts';
import type { FetchIcon, IconSource } from './fetchIcon.ts';
import type { IconFiles } from './iconFiles.ts';
import { iconExtension } from './iconImage.ts';

const maxAtOnce = 4;
/** Icons per window; further ones are not drawn. */
const maxIcons = 5_000;
/** Characters of all icon URLs together: `data:` URIs stay in memory after their servers are gone. */
const maxKeyChars = 64 * 1024 * 1024;
/** Characters of a URL in the log; a URL may hold a whole image. */
const maxLoggedChars = 200;
/** Stands for connection settings where a server has none. */
const editorsWay = {};

export interface IconParts {
  readonly files: Pick<IconFiles, 'find' | 'keep'>;
  readonly fetch: FetchIcon;
  /** In an untrusted folder nothing is fetched or drawn. */
  readonly isTrusted: () => boolean;
  readonly log: Pick<Log, 'debug'>;
}

/** The server that the icon belongs to. */
export interface IconOwner extends IconSource {
  readonly id: ServerId;
}

export class Icons implements Disposable {
  readonly #parts: IconParts;
  readonly #came = new Emitter<ReadonlySet<ServerId>>();
  /** By origin and source: the path of the file, or that it is being fetched or has failed. */
  readonly #known = new Map<string, Known>();
  #keyChars = 0;
  readonly #queue: (() => Promise<void>)[] = [];
  #running = 0;
  /** Fires with the servers that wait for an icon when it has arrived. */
  readonly onDidCome = this.#came.event;

  constructor(parts: IconParts) {
    this.#parts = parts;
  }

  /** The path of the icon's file; undefined before it has arrived, or when it has failed. */
  fileOf({ src }: Icon, owner: IconOwner): string | undefined {
    if (!this.#parts.isTrusted()) {
      return undefined;
    }
    const isData = /^data:/iu.test(src);
    const key = isData ? src : `${owner.origin} ${src}`;
    const known = this.#known.get(key) ?? this.#remember(key);
    if (known === undefined) {
      return undefined;
    }
    const way = (isData ? undefined : owner.connection) ?? editorsWay;
    const isMissing = known.file === undefined && known.awaitedBy === undefined;
    if (isMissing && !known.triedOver.has(way)) {
      known.triedOver.add(way);
      this.#ask(known, key, src, owner);
    }
    known.awaitedBy?.add(owner.id);
    return known.file;
  }

  dispose(): void {
    this.#queue.length = 0;
    this.#came.dispose();
  }

  /** Undefined where there are too many. */
  #remember(key: string): Known | undefined {
    if (this.#known.size >= maxIcons || this.#keyChars + key.length > maxKeyChars) {
      return undefined;
    }
    this.#keyChars += key.length;
    const known: Known = { file: undefined, awaitedBy: undefined, triedOver: new WeakSet() };
    this.#known.set(key, known);
    return known;
  }

  #ask(known: Known, key: string, src: string, owner: IconOwner): void {
    known.awaitedBy = new Set([owner.id]);
    this.#queue.push(async () => {
      known.file = await this.#load(key, src, owner);
      const { awaitedBy } = known;
      known.awaitedBy = undefined;
      if (known.file !== undefined && awaitedBy !== undefined) {
        this.#came.fire(awaitedBy);
      }
    });
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#running >= maxAtOnce) {
      return;
    }
    this.#running += 1;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      await next();
    }
    this.#running -= 1;
  }

  /** Never rejects: a row without its icon has a default one. */
  async #load(key: string, src: string, from: IconSource): Promise<string | undefined> {
    const { files, fetch, log } = this.#parts;
    try {
      const kept = await files.find(key);
      if (kept !== undefined) {
        return kept;
      }
      const bytes = await fetch(src, from);
      const extension = iconExtension(bytes);
      if (extension === undefined) {
        throw new Error('The icon is not an image that can be shown');
      }
      return await files.keep(key, bytes, extension);
    } catch (error) {
      log.debug(`No icon from ${truncated(src, maxLoggedChars)}: ${String(error)}`);
      return undefined;
    }
  }
}

interface Known {
  file: string | undefined;
  /** Present while it is being fetched. */
  awaitedBy: Set<ServerId> | undefined;
  /** The connection settings of failed fetches: with others, after a change of the entry, it may succeed. */
  readonly triedOver: WeakSet<object>;
}

/** The origin for a server's icons; undefined for a process, and for a URL with variables in its host. */
export function originOf(launch: Launch): string | undefined {
  if (launch.kind !== 'http') {
    return undefined;
  }
  const url = URL.parse(launch.url.replace(/^ws(s?):/iu, 'http$1:'));
  return url === null || url.origin === 'null' || url.host.includes('$') ? undefined : url.origin;
}

export type IconTheme = 'light' | 'dark';

/** Pixels; twice the size in a list, for screens with a high pixel density. */
const wantedSize = 32;

/** The assumed size of an icon without one. */
const unknownSize = 48;

const drawnTypes = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/webp', 'image/svg+xml']);

/**
 * Chooses one of the icons that a server declares (schema of revision 2025-11-25, Icon).
 *
 * Prefers icons for the theme, then those for any theme, then those for the other; among them the size nearest to the
 * drawn one. The server's order decides between equals.
 */
export function chooseIcon(icons: readonly Icon[] | undefined, theme: IconTheme): Icon | undefined {
  return icons
    ?.filter(({ mimeType }) => mimeType === undefined || drawnTypes.has(essence(mimeType)))
    .map((icon) => ({ icon, rank: rankOf(icon, theme) }))
    .reduce<Ranked | undefined>(
      (best, next) => (best === undefined || next.rank < best.rank ? next : best),
      undefined,
    )?.icon;
}

interface Ranked {
  readonly icon: Icon;
  readonly rank: number;
}

function rankOf(icon: Icon, theme: IconTheme): number {
  const themeRank = icon.theme === theme ? 0 : icon.theme === undefined ? 1 : 2;
  return (
    themeRank * 1_000_000 +
    sizesOf(icon).reduce((least, size) => Math.min(least, distance(size)), 999_999)
  );
}

/** Too small is worse than too large. */
function distance(size: number): number {
  return size >= wantedSize ? size - wantedSize : (wantedSize - size) * 1_000;
}

function sizesOf({ sizes, mimeType }: Icon): readonly number[] {
  if (sizes === undefined) {
    return [
      mimeType !== undefined && essence(mimeType) === 'image/svg+xml' ? wantedSize : unknownSize,
    ];
  }
  return sizes.map((size) => (size === 'any' ? wantedSize : Number.parseInt(size, 10)));
}

function essence(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Which of the icons that a server names is drawn (schema of revision 2025-11-25, Icon). Pure. */
import type { Icon } from '../../mcp/types/content.ts';

export type IconTheme = 'light' | 'dark';

/** Pixels of an icon in a list, twice as many as it is drawn with: screens have more than they say. */
const wantedSize = 32;

/** What an icon that does not say may be. */
const unknownSize = 48;

const drawnTypes = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/webp', 'image/svg+xml']);

/**
 * One made for the theme before one for any, and that before one for the other; then the one that comes
 * closest to the size it is drawn at. The order of the server decides between equals.
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

/** One that is too small is worse than one that is too large. */
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

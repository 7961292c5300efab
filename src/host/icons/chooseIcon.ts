/** Chooses one of the icons that a server declares (schema of revision 2025-11-25, Icon). Pure. */
import type { Icon } from '../../mcp/types/content.ts';

export type IconTheme = 'light' | 'dark';

/** Pixels; twice the size in a list, for screens with a high pixel density. */
const wantedSize = 32;

/** The assumed size of an icon without one. */
const unknownSize = 48;

const drawnTypes = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/webp', 'image/svg+xml']);

/**
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

/**
 * The style variables that an app gets, from the colours and fonts of the editor's theme. Only the editor's page has
 * those (`--vscode-…`), so their values are sent. A theme may leave a colour out: then the next of the list counts.
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#theming
 */

/** Names without `--vscode-`; the last of a list may be a CSS colour. */
const background = {
  primary: ['editor-background'],
  secondary: ['sideBar-background', 'editor-background'],
  tertiary: ['activityBar-background', 'sideBar-background', 'editor-background'],
  inverse: ['editor-foreground', 'foreground'],
  ghost: ['transparent'],
  info: ['inputValidation-infoBackground', 'editor-background'],
  danger: ['inputValidation-errorBackground', 'editor-background'],
  success: ['diffEditor-insertedTextBackground', 'editor-background'],
  warning: ['inputValidation-warningBackground', 'editor-background'],
  disabled: ['editor-inactiveSelectionBackground', 'editor-background'],
};

const text = {
  primary: ['foreground'],
  secondary: ['descriptionForeground', 'foreground'],
  tertiary: ['disabledForeground', 'descriptionForeground', 'foreground'],
  inverse: ['editor-background'],
  ghost: ['descriptionForeground', 'foreground'],
  info: ['textLink-foreground', 'foreground'],
  danger: ['errorForeground', 'foreground'],
  success: ['testing-iconPassed', 'foreground'],
  warning: ['editorWarning-foreground', 'foreground'],
  disabled: ['disabledForeground', 'descriptionForeground', 'foreground'],
};

const border = {
  primary: ['widget-border', 'contrastBorder', 'editorWidget-border', '#88888859'],
  secondary: ['editorWidget-border', 'contrastBorder', '#88888859'],
  tertiary: ['panel-border', 'contrastBorder', '#88888859'],
  inverse: ['foreground'],
  ghost: ['transparent'],
  info: ['inputValidation-infoBorder', 'focusBorder', 'contrastBorder'],
  danger: ['inputValidation-errorBorder', 'errorForeground'],
  success: ['testing-iconPassed', 'foreground'],
  warning: ['inputValidation-warningBorder', 'editorWarning-foreground', 'contrastBorder'],
  disabled: ['disabledForeground', 'contrastBorder', '#88888859'],
};

const ring = {
  primary: ['focusBorder', 'contrastActiveBorder', 'foreground'],
  secondary: ['focusBorder', 'contrastActiveBorder', 'foreground'],
  inverse: ['focusBorder', 'contrastActiveBorder', 'foreground'],
  info: border.info,
  danger: border.danger,
  success: border.success,
  warning: border.warning,
};

const textSizes = { xs: 10, sm: 11, md: 13, lg: 14 };
const headingSizes = { xs: 16, sm: 18, md: 20, lg: 24, xl: 32, '2xl': 40, '3xl': 48 };
const radii = { xs: 2, sm: 3, md: 4, lg: 6, xl: 8, full: 9_999 };
const weights = { normal: 'normal', medium: '500', semibold: '600', bold: 'bold' };
const shadows = {
  hairline: '0 0 1px',
  sm: '0 1px 2px',
  md: '0 2px 8px',
  lg: '0 4px 16px',
};

/**
 * All variables of the specification.
 * @param themeValue the value of a variable of the theme, such as `--vscode-foreground`; empty without
 */
export function styleVariables(
  themeValue: (name: string) => string,
): Readonly<Record<string, string>> {
  const valueOf = (name: string): string => themeValue(`--vscode-${name}`).trim();
  const first = (names: readonly string[]): string =>
    names.map(valueOf).find((value) => value !== '') ?? names.at(-1) ?? '';
  const colours = (group: string, table: Readonly<Record<string, readonly string[]>>): Variables =>
    each(table, (name, names) => [`--color-${group}-${name}`, first(names)]);
  const shadow = first(['widget-shadow', 'contrastBorder', 'transparent']);
  return Object.fromEntries([
    ...colours('background', background),
    ...colours('text', text),
    ...colours('border', border),
    ...colours('ring', ring),
    ['--font-sans', valueOf('font-family') || 'sans-serif'],
    ['--font-mono', valueOf('editor-font-family') || 'monospace'],
    ...each(weights, (name, weight) => [`--font-weight-${name}`, weight]),
    ...each(textSizes, (name, size) => [`--font-text-${name}-size`, `${size}px`]),
    ...each(textSizes, (name) => [`--font-text-${name}-line-height`, '1.5']),
    ...each(headingSizes, (name, size) => [`--font-heading-${name}-size`, `${size}px`]),
    ...each(headingSizes, (name) => [`--font-heading-${name}-line-height`, '1.25']),
    ...each(radii, (name, radius) => [`--border-radius-${name}`, `${radius}px`]),
    ['--border-width-regular', '1px'],
    ...each(shadows, (name, place) => [`--shadow-${name}`, `${place} ${shadow}`]),
  ]);
}

type Variables = readonly (readonly [string, string])[];

function each<T>(
  table: Readonly<Record<string, T>>,
  variable: (name: string, value: T) => readonly [string, string],
): Variables {
  return Object.entries(table).map(([name, value]) => variable(name, value));
}

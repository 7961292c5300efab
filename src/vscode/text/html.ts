/** HTML from texts that may come from servers: inserted values are text, never markup. */

/** Markup that this extension made. */
export interface Html {
  readonly markup: string;
}

type Value = Html | readonly Html[] | string | number;

/** Escapes everything but {@link Html}, also inside quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = parts.reduce(
    (text, part, index) => `${text}${toMarkup(values[index - 1] ?? '')}${part}`,
  );
  return { markup };
}

export const nothing: Html = { markup: '' };

function toMarkup(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') {
    return escaped(String(value));
  }
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"'`]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

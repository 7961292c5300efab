/** Elements of the page. Server text goes in as text, never as markup. */

/** An element of the page's HTML. */
export function byId<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.querySelector(`#${id}`);
  if (!(found instanceof kind)) {
    throw new TypeError(`The page has no ${kind.name} "${id}"`);
  }
  return found;
}

export function element(
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** A text in the user's language, which the extension has put into the page. */
export function word(name: string): string {
  return document.body.dataset[name] ?? '';
}

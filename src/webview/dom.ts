/** Elements of the page. Whatever comes from a server goes in as text, never as markup. */

/** The element that the page was written with. */
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

/** What the page says in the user's language; the extension has put it there. */
export function word(name: string): string {
  return document.body.dataset[name] ?? '';
}

// What the editor keeps in the browser that shows it: local storage, session storage and its databases, as text.
import type { Page } from 'playwright-core';

export interface StoredText {
  /** `localStorage secrets.provider`, `vscode-web-state-db-global/ItemTable memento/…`. */
  readonly place: string;
  readonly text: string;
}

/** The places that {@link plant} makes. */
export const plantedPlaces = ['control/texts key', 'localStorage control'] as const;

const answer = `const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });`;

const read = `(async () => {
  const asText = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return new TextDecoder('latin1').decode(value);
    return JSON.stringify(value) ?? '';
  };
  ${answer}
  const found = [];
  for (const [name, storage] of Object.entries({ localStorage, sessionStorage })) {
    for (const key of Object.keys(storage)) found.push({ place: name + ' ' + key, text: storage.getItem(key) });
  }
  for (const { name } of await indexedDB.databases()) {
    const database = await answer(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const content = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([answer(content.getAllKeys()), answer(content.getAll())]);
      keys.forEach((key, index) => found.push({ place: name + '/' + store + ' ' + key, text: asText(values[index]) }));
    }
    database.close();
  }
  return found;
})()`;

export async function browserStorage(page: Page): Promise<readonly StoredText[]> {
  return page.evaluate<readonly StoredText[]>(read);
}

/** Puts a text where {@link browserStorage} has to find it, as bytes where the editor has bytes. */
export async function plant(page: Page, text: string): Promise<void> {
  await page.evaluate(`(async (text) => {
    ${answer}
    localStorage.setItem('control', text);
    const opening = indexedDB.open('control');
    opening.onupgradeneeded = () => opening.result.createObjectStore('texts');
    const database = await answer(opening);
    const store = database.transaction('texts', 'readwrite').objectStore('texts');
    await answer(store.put(new TextEncoder().encode(text), 'key'));
    database.close();
  })(${JSON.stringify(text)})`);
}

export async function uproot(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    ${answer}
    localStorage.removeItem('control');
    await answer(indexedDB.deleteDatabase('control'));
  })()`);
}

/** The places that hold one of `secrets`, as it is or in a URL. */
export function placesThatHold(
  secrets: readonly string[],
  stored: readonly StoredText[],
): readonly string[] {
  return stored
    .filter(({ place, text }) =>
      secrets.some((secret) =>
        [secret, encodeURIComponent(secret)].some((form) => `${place} ${text}`.includes(form)),
      ),
    )
    .map(({ place }) => place)
    .toSorted();
}

/** The page that a browser shows after a sign-in. It has no text of a server. */

/** The path of the redirect URI, on this machine and in the editor's own addresses. */
export const wayBack = '/oauth/callback';

/** The result of the visit. `answered`: the editor has the answer, and still processes it. */
export type ReturnOutcome = 'signedIn' | 'failed' | 'answered' | 'unexpected';

export type PageWords = Readonly<
  Record<ReturnOutcome, { readonly title: string; readonly text: string }>
>;

export function pageFor(outcome: ReturnOutcome, words: PageWords): string {
  const { title, text } = words[outcome];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 20vh auto 0; max-width: 32rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; font-weight: 600; }
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? '');
}

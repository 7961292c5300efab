// README.md for the VSIX. The editor shows it by itself: a picture or a page that lies beside it in the clone is nowhere,
// and package.json names no repository whose addresses vsce could put in its place.

const picture = /^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gmu;
const link = /\[([^\]]*)\]\((?!https:|#)([^)#]*)[^)]*\)/gu;

/** The same text without pictures, and with the names of files instead of links to them. */
export function packedReadme(text) {
  return text
    .replaceAll(picture, '')
    .replaceAll(link, (_whole, title, file) => (title === file ? file : `${title} (${file})`));
}

/** What in a document of the VSIX leads nowhere. */
export function strayLinks(text) {
  return [...text.matchAll(/\]\((?!https:|#)([^)]*)\)/gu)].map(([, to]) => to);
}

/** Whether a text fits a pattern, in which `*` stands for any characters. Takes no longer than the text, however many there are. */
export function isLike(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) {
    return pattern === text;
  }
  if (!text.startsWith(first) || !text.endsWith(last)) {
    return false;
  }
  const end = text.length - last.length;
  let from = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, from);
    if (found < 0 || found + piece.length > end) {
      return false;
    }
    from = found + piece.length;
  }
  return from <= end;
}

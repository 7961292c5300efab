/**
 * Texts for people, in the language of the editor. What goes to servers stays English; a model or an extension that is told
 * of an error gets the text that people read. Nothing stored or compared may depend on them.
 */

/** As `vscode.l10n.t`: `{0}` stands for the first value. */
type Translate = (text: string, ...values: readonly (string | number)[]) => string;

let translate: Translate = (text, ...values) =>
  text.replaceAll(/\{([^}]+)\}/gu, (whole, index: number) => String(values[index] ?? whole));

/** Each bundle has its own copy of this file. */
export function setTranslator(translator: Translate): void {
  translate = translator;
}

/** @param text a literal, which a test looks for in `l10n`. Not for constants of a file: they are made before a language is set */
export function t(text: string, ...values: readonly (string | number)[]): string {
  return translate(text, ...values);
}

/** URI templates of servers, and whatever people type for their variables. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseUriTemplate, type UriTemplate } from '../../src/host/resources/uriTemplate.ts';
import { isMcpError } from '../../src/mcp/errors.ts';
import { text } from './arbitraries.ts';
import type { Fuzz } from './fuzz.ts';

const name = fc.constantFrom('a', 'b', 'a.b', '%41', '__proto__', 'constructor', 'toString', 'ä');
const modifier = fc.constantFrom('', '*', ':1', ':3', ':9999', ':0', ':10000', ':*');
const variable = fc.tuple(name, modifier).map((parts) => parts.join(''));
const expression = fc
  .tuple(
    fc.constantFrom('', '', '+', '#', '.', '/', ';', '?', '&', '=', '|', '{'),
    fc.array(variable, { maxLength: 3 }),
  )
  .map(([operator, variables]) => `{${operator}${variables.join(',')}}`);
const template = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: expression },
      fc.constantFrom(...'file:/// https://a.example/ ?x= % %4 %41 [ < { }'.split(' ')),
      text,
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

const typed = fc.oneof(
  text,
  fc.constantFrom(...'x¦x,y¦k=v¦k=v,__proto__=w¦,¦ , ¦=¦a/b?c#d¦%¦😀¦x😀'.split('¦')),
);
const values = fc
  .array(fc.tuple(name, typed), { maxLength: 6 })
  .map((entries) => Object.fromEntries(entries));

/** What comes of it, or undefined after a sentence that says what is wrong. */
function refusedOr<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    assert.ok(isMcpError(error) && error.code === 'invalidInput', String(error));
    assert.ok(error.message !== '' && error.message.length < 2_000);
    return undefined;
  }
}

/** All that a URI may consist of (RFC 3986, appendix A). */
const uriText = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\dA-Fa-f]{2})*$/u;

function isSimple({ variables }: UriTemplate, source: string): boolean {
  return (
    variables.length === 1 && source.endsWith('{a}') && source.indexOf('{') === source.length - 3
  );
}

/** A template is used or refused with a sentence, and what comes of it is a URI that holds what was typed. */
const uriTemplates: Fuzz = {
  name: 'uriTemplates',
  share: 10,
  property: fc.property(template, values, (source, given) => {
    const parsed = refusedOr(() => parseUriTemplate(source));
    const uri = refusedOr(() => parsed?.expand(given));
    if (parsed === undefined || uri === undefined) {
      return true;
    }
    assert.match(uri, uriText);
    for (const { name: required } of parsed.variables.filter(({ isRequired }) => isRequired)) {
      assert.ok(Object.hasOwn(given, required), `expands without ${required}`);
    }
    if (isSimple(parsed, source)) {
      const value = Reflect.get(given, 'a');
      const end = uri.slice(
        refusedOr(() => parseUriTemplate(source.slice(0, -3)))?.expand({}).length,
      );
      assert.equal(decodeURIComponent(end), value);
    }
    return true;
  }),
};

export const templates: readonly Fuzz[] = [uriTemplates];

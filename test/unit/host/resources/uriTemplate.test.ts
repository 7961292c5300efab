import assert from 'node:assert/strict';
import { parseUriTemplate } from '../../../../src/host/resources/uriTemplate.ts';

function names(template: string): readonly string[] {
  return parseUriTemplate(template).variables.map(({ name }) => name);
}

const missing = (name: string): string => `The variable "${name}" needs a value`;

describe('parseUriTemplate', () => {
  it('RES-05: finds the variables of every level of RFC 6570, each once', () => {
    assert.deepEqual(names('a://b'), []);
    assert.deepEqual(names('db://{table}/{id}'), ['table', 'id']);
    assert.deepEqual(names('x://{+path,x}{#frag}{.ext}{/a,b}{;c}{?q,lang}{&more}'), [
      'path',
      'x',
      'frag',
      'ext',
      'a',
      'b',
      'c',
      'q',
      'lang',
      'more',
    ]);
    assert.deepEqual(names('x://{id}/{id}?{tags*}{a.b}{%20}'), ['id', 'tags', 'a.b', '%20']);
  });

  it('knows which variables may be left out, which are lists, and which are cut', () => {
    assert.deepEqual(parseUriTemplate('x://{+path}/{name:3}{?tags*}{/name}').variables, [
      { name: 'path', isRequired: true, isList: false },
      { name: 'name', isRequired: true, isList: false, maxLength: 3 },
      { name: 'tags', isRequired: false, isList: true },
    ]);
  });

  const expansions: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ['x://{var}', { var: 'Hello World!' }, 'x://Hello%20World%21'],
    ['x://{+path}/here', { path: '/foo/bar' }, 'x:///foo/bar/here'],
    ['x://a{#frag}', { frag: 'b/c' }, 'x://a#b/c'],
    ['x://a{.ext}', { ext: 'md' }, 'x://a.md'],
    ['x://a{/x,y}', { x: '1024', y: '7/8' }, 'x://a/1024/7%2F8'],
    ['x://a{;x,y}', { x: '1', y: '2' }, 'x://a;x=1;y=2'],
    ['x://a{?q,lang}', { lang: 'de' }, 'x://a?lang=de'],
    ['x://a?z=1{&q}', { q: 'ü' }, 'x://a?z=1&q=%C3%BC'],
    ['x://a{?tags*}', { tags: 'red, green' }, 'x://a?tags=red&tags=green'],
    ['x://a{/path*}', { path: 'usr,lib' }, 'x://a/usr/lib'],
    ['x://a{?params*}', { params: 'a=1, b=2=3' }, 'x://a?a=1&b=2%3D3'],
    ['x://{var:3}{/var:1,var}', { var: 'value' }, 'x://val/v/value'],
    ['x://{var:2}', { var: '😀😀' }, 'x://%F0%9F%98%80'],
    ['x://a{?q}', {}, 'x://a'],
    ['x://{constructor}', { constructor: 'c' }, 'x://c'],
    ['x://ä/{a}', { a: 'b' }, 'x://%C3%A4/b'],
  ];
  for (const [template, values, uri] of expansions) {
    it(`RES-05: ${template} becomes ${uri}`, () => {
      assert.equal(parseUriTemplate(template).expand(values), uri);
    });
  }

  const refused: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ['x://{table}/{id}', { table: 'a' }, missing('id')],
    ['x://{a}', { a: '\ud800' }, 'The value of "a" is not valid Unicode text'],
    ['x://{a:1}', { a: '😀' }, 'The value of "a" cannot be cut after 1 characters'],
    ['x://{a}/{a:1}', { a: '😀' }, 'The value of "a" cannot be cut after 1 characters'],
    ...['constructor', 'toString', '__proto__'].map((n) => [`x://{${n}}`, {}, missing(n)] as const),
  ];
  for (const [template, values, message] of refused) {
    it(`names what is wrong with a value: ${template}`, () => {
      const parsed = parseUriTemplate(template);
      assert.throws(() => parsed.expand(values), { code: 'invalidInput', message });
    });
  }

  it('encodes all of a text that has a percent sign of its own', () => {
    const template = parseUriTemplate('x:// %4/{+a}/{a}');
    assert.equal(
      template.expand({ a: '50%discount für %41' }),
      'x://%20%254/50%25discount%20f%C3%BCr%20%41/50%25discount%20f%C3%BCr%20%2541',
    );
  });

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['x://\ud800/{id}', /it is not valid Unicode text/u],
    ['x://{id', /"\{id" has no closing brace/u],
    ['x://id}', /"\}" has no opening brace/u],
    ['x://{}', /"" in \{\} is not a variable/u],
    ['x://{a b}', /"a b" in \{a b\} is not a variable/u],
    ['x://{a,}', /"" in \{a,\} is not a variable/u],
    ['x://{a:0}', /"a:0" in \{a:0\}/u],
    ['x://{!a}', /the operator "!" in \{!a\} has no meaning/u],
  ];
  for (const [template, message] of wrong) {
    it(`refuses ${template}, and says where it is wrong`, () => {
      assert.throws(() => parseUriTemplate(template), { code: 'invalidInput', message });
    });
  }
});

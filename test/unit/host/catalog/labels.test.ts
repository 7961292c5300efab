import assert from 'node:assert/strict';
import { displayLabel } from '../../../../src/host/catalog/labels.ts';

describe('displayLabel', () => {
  it('NAME-01: title, then annotations.title, then name', () => {
    assert.equal(displayLabel({ name: 'n', title: 'T', annotations: { title: 'A' } }), 'T');
    assert.equal(displayLabel({ name: 'n', annotations: { title: 'A' } }), 'A');
    assert.equal(displayLabel({ name: 'n', annotations: {} }), 'n');
    assert.equal(displayLabel({ name: 'n' }), 'n');
  });

  it('NAME-01: a blank title is none', () => {
    assert.equal(displayLabel({ name: 'n', title: ' ', annotations: { title: '' } }), 'n');
  });

  it('NAME-01: no label is empty', () => {
    assert.equal(displayLabel({ name: ' ', title: '\n', uri: 'a://b' }), 'a://b');
    assert.equal(displayLabel({ name: ' ', uriTemplate: 'a://{b}' }), 'a://{b}');
    assert.equal(displayLabel({ name: '\t' }), '\\u{9}');
  });

  it('NAME-01: a title of which nothing can be seen is none, and a name of that kind is spelled', () => {
    assert.equal(displayLabel({ name: 'n', title: '\u200b\u3164\u2800' }), 'n');
    assert.equal(displayLabel({ name: '\u200b', title: '\u00ad' }), '\\u{200b}');
    assert.equal(displayLabel({ name: '' }), '""');
    assert.equal(displayLabel({ name: ' ' }), '" "');
    assert.equal(displayLabel({ name: 'a\u200bb' }), 'a\u200bb');
  });
});

import assert from 'node:assert/strict';
import { seemsSecret, secretNames } from '../../../../src/host/schemas/seemsSecret.ts';
import { manyMembers } from '../../../support/manyMembers.ts';

const secretKeys = (
  'password, Password, userPassword, db_passwd, PWD, passphrase, api_key, apiKey, APIKey, ' +
  'OPENAI_API_KEY, Your API key, access-token, GitHub token, Bearer Token, client_secret, ' +
  'secret, privateKey, PIN, credentials, Credit card number, CVV, One-time code, ' +
  'seed phrase, Passwort / password'
).split(', ');

const harmlessNames = (
  'name, keyboard, monkey, primary_key, key, foreignKey, tokens, maxTokens, max_token, ' +
  'token_count, tokenLimit, tokenizer, Token symbol, secretary, secret_name, ' +
  'passwordLength, Password policy, password_manager, pinned, shipping, spin, PIN length, ' +
  'passenger, compass, bypass, credential_id, author, authorization_url, passport_country'
).split(', ');

const secretDescriptions = [
  'Enter your password',
  'Please paste the API key here.',
  'Provide your GitHub access token',
  'Type in your account PIN',
];

const harmlessDescriptions = [
  'Your favorite integer (do not give us your phone number, pin, or other sensitive info)',
  'Never enter your password here.',
  'How many tokens to generate',
  'The name of the secret to create',
  'Enter your name',
  'Enter the secret name',
  'Choose the key signature',
];

describe('seemsSecret', () => {
  it('ELIC-21: is true of what asks for a secret, in a name, a title or a sentence', () => {
    for (const text of secretKeys) {
      assert.ok(seemsSecret({ key: text }), text);
      assert.ok(seemsSecret({ key: 'x', title: text }), text);
    }
    for (const description of secretDescriptions) {
      assert.ok(seemsSecret({ key: 'x', description }), description);
    }
  });
  it('ELIC-21: is false of what only mentions one', () => {
    for (const text of harmlessNames) {
      assert.ok(!seemsSecret({ key: text }), text);
    }
    for (const description of harmlessDescriptions) {
      assert.ok(!seemsSecret({ key: 'x', description }), description);
    }
  });
  it('ELIC-21: a name of any length is judged at once', () => {
    const key = 'max_token_'.repeat(100_000);
    assert.equal(seemsSecret({ key, title: key }), false);
  });
  it('ELIC-21: the format of a password is a sign', () => {
    assert.equal(seemsSecret({ key: 'x', format: 'password' }), true);
    assert.equal(seemsSecret({ key: 'x', format: 'email' }), false);
  });
});

describe('secretNames', () => {
  it('are those that a schema marks, or whose names or words seem so, at any depth', () => {
    const names = secretNames({
      properties: {
        login: {
          type: 'object',
          properties: { pin: { type: 'string' }, a: { format: 'password' }, town: {} },
        },
        list: { items: { properties: { b: { title: 'API key' }, c: { writeOnly: true } } } },
        d: { $ref: '#/$defs/hidden' },
      },
      $defs: { hidden: { anyOf: [{ type: 'null' }, { format: 'password' }] } },
    });
    assert.deepEqual([...names].toSorted(), ['a', 'b', 'c', 'd', 'pin']);
  });

  it('SCH-07: are not looked for to the end of a schema that would hold everybody up', () => {
    const properties = manyMembers(20_000, () => ({ $ref: '#/$defs/big' }));
    const first = { password: { type: 'string' }, ...properties };
    const names = secretNames({ properties: first, $defs: { big: manyMembers(40_000, () => 1) } });
    assert.ok(names.has('password'));
  });
});

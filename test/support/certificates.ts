/**
 * Certificates for tests, made on the spot with nothing but Node: an authority and what it signs, for any names and
 * times (RFC 5280, encoded as DER). Worth nothing outside of tests.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface Certified {
  /** Both as PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** Host names and IPv4 addresses that it is for. */
  readonly names: readonly string[];
  /** Common name of the subject; default the first of the names. */
  readonly subject?: string;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

const dayMs = 24 * 3_600_000;

export class TestAuthority {
  readonly #subject: string;
  readonly #pair = newPair();
  /** As PEM: who trusts it accepts what it issues. */
  readonly cert: string;

  constructor(subject = 'Authority of the tests') {
    this.#subject = subject;
    const own = { names: [], subject };
    this.cert = encode(own, this.#pair.publicKey, this.#subject, this.#pair.privateKey, true);
  }

  issue(options: CertificateOptions): Certified {
    const { publicKey, privateKey } = newPair();
    const cert = encode(options, publicKey, this.#subject, this.#pair.privateKey, false);
    return { cert, key: toPem(privateKey) };
  }
}

/** Signed by itself, so that nobody trusts it. */
export function selfSigned(options: CertificateOptions): Certified {
  const { publicKey, privateKey } = newPair();
  const cert = encode(options, publicKey, subjectOf(options), privateKey, true);
  return { cert, key: toPem(privateKey) };
}

function newPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function toPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function subjectOf({ subject, names }: CertificateOptions): string {
  return subject ?? names[0] ?? 'Test';
}

/** RFC 5280, 4.1. */
function encode(
  options: CertificateOptions,
  publicKey: KeyObject,
  issuer: string,
  issuerKey: KeyObject,
  isAuthority: boolean,
): string {
  const { notBefore = new Date(Date.now() - dayMs), notAfter = new Date(Date.now() + dayMs) } =
    options;
  const extensions = [
    // basicConstraints
    sequence(
      oid('551d13'),
      boolean(true),
      octets(sequence(...(isAuthority ? [boolean(true)] : []))),
    ),
    ...(options.names.length === 0
      ? []
      : [sequence(oid('551d11'), octets(alternativeNames(options)))]),
  ];
  const body = sequence(
    tagged(0xa0, integer(Buffer.of(2))), // version 3
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])), // serial number
    ecdsaWithSha256,
    name(issuer),
    sequence(time(notBefore), time(notAfter)),
    name(subjectOf(options)),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const der = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuerKey)));
  const lines = der.toString('base64').replaceAll(/.{64}/gu, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function alternativeNames({ names }: CertificateOptions): Buffer {
  return sequence(
    ...names.map((one) =>
      isIPv4(one)
        ? tagged(0x87, Buffer.from(one.split('.').map(Number)))
        : tagged(0x82, Buffer.from(one)),
    ),
  );
}

/** Type, length, content (X.690, 8.1). */
function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const integer = (content: Buffer): Buffer => tagged(0x02, content);
const octets = (content: Buffer): Buffer => tagged(0x04, content);
const bits = (content: Buffer): Buffer => tagged(0x03, Buffer.of(0), content);
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const boolean = (is: boolean): Buffer => tagged(0x01, Buffer.of(is ? 0xff : 0));
const time = (date: Date): Buffer =>
  tagged(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/gu, '')));
/** A distinguished name of a common name alone. */
const name = (common: string): Buffer =>
  sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from(common)))));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

/** A certificate authority of the tests: made anew in each process, and worth nothing outside of it. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

export interface Issued {
  readonly cert: string;
  readonly key: string;
}

export interface IssueOptions {
  /** Names and addresses that it is for. */
  readonly hosts?: readonly string[];
  readonly isExpired?: boolean;
}

const dayMs = 86_400_000;

/** One pair for all: only who signs what is under test, and RSA keys take their time. */
const makePair = once(() => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const own = forge.pki.privateKeyFromPem(privateKey);
  return { privateKey: own, publicKey: forge.pki.setRsaPublicKey(own.n, own.e), pem: privateKey };
});
const makeAuthorityPair = once(() => makePair.again());

let serial = 0;

export class Authority {
  readonly name: string;
  readonly pem: string;

  constructor(name = 'MCP Host test authority', { isExpired = false }: IssueOptions = {}) {
    this.name = name;
    const certificate = this.#begin(name, makeAuthorityPair().publicKey, isExpired);
    certificate.setExtensions([
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
    ]);
    this.pem = this.#end(certificate);
  }

  /** @param name the common name of whom it is for */
  issue(name: string, { hosts = [], isExpired = false }: IssueOptions = {}): Issued {
    const certificate = this.#begin(name, makePair().publicKey, isExpired);
    const altNames = hosts.map((host) =>
      isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host },
    );
    certificate.setExtensions([
      { name: 'basicConstraints', cA: false },
      ...(hosts.length === 0 ? [] : [{ name: 'subjectAltName', altNames }]),
    ]);
    return { cert: this.#end(certificate), key: makePair().pem };
  }

  #begin(name: string, publicKey: forge.pki.PublicKey, isExpired: boolean): forge.pki.Certificate {
    const certificate = forge.pki.createCertificate();
    serial += 1;
    certificate.serialNumber = serial.toString(16).padStart(4, '0');
    certificate.publicKey = publicKey;
    certificate.validity.notBefore = new Date(Date.now() - 60 * dayMs);
    certificate.validity.notAfter = new Date(Date.now() + (isExpired ? -30 : 30) * dayMs);
    certificate.setSubject([{ name: 'commonName', value: name }]);
    certificate.setIssuer([{ name: 'commonName', value: this.name }]);
    return certificate;
  }

  #end(certificate: forge.pki.Certificate): string {
    certificate.sign(makeAuthorityPair().privateKey, forge.md.sha256.create());
    return forge.pki.certificateToPem(certificate);
  }
}

/** The same key, to be opened with a passphrase. */
export function encrypted(key: string, passphrase: string): string {
  const exported = createPrivateKey(key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase,
  });
  return exported.toString();
}

/** Made when it is first asked for; `again` makes another. */
function once<T>(make: () => T): { (): T; again(): T } {
  let made: T | undefined;
  return Object.assign(() => (made ??= make()), { again: make });
}

/**
 * The tokens of one sign-in and its renewals by several windows and processes. A refresh token usually
 * works once, and a second use revokes the whole family (RFC 9700 section 4.14.2). So one window renews at
 * a time and hands the result to the others. They may not see its write to the secret storage, which an
 * editor in a browser reads once per page. So the result is handed over encrypted, with a key that has been
 * in the secret storage since the sign-in.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { isObject } from '../../base/json.ts';

export interface TokenFamily {
  /** 256 bits in base64url; a secret. */
  readonly key: string;
  /** Number of renewals so far. */
  readonly renewal: number;
}

interface Member {
  readonly accessToken: string;
  readonly family?: TokenFamily;
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** @param before the family of the current tokens; whoever knows it finds the next tokens, even of a new sign-in */
export function nextFamily(before: TokenFamily | undefined): TokenFamily {
  return before === undefined
    ? { key: randomBytes(32).toString('base64url'), renewal: 0 }
    : { key: before.key, renewal: before.renewal + 1 };
}

export function isFamily(value: unknown): value is TokenFamily {
  return (
    isObject(value) && typeof value['key'] === 'string' && typeof value['renewal'] === 'number'
  );
}

/** Whether the first is newer: a later renewal of the same family, or another family. */
export function isLater(one: Member, other: Member): boolean {
  return one.family !== undefined && one.family.key === other.family?.key
    ? one.family.renewal > other.family.renewal
    : one.accessToken !== other.accessToken;
}

/** The shared name of a family. It reveals nothing of the key. */
export function nameOf({ key }: TokenFamily): string {
  return createHash('sha256').update(key).digest('hex');
}

export function seal(value: object, family: TokenFamily): string {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, Buffer.from(family.key, 'base64url'), iv);
  const text = Buffer.concat([sealing.update(JSON.stringify(value)), sealing.final()]);
  return Buffer.concat([iv, sealing.getAuthTag(), text]).toString('base64');
}

/** Undefined for text that no member of the family encrypted. */
export function unsealed(sealed: string, family: TokenFamily): unknown {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const opening = createDecipheriv(
      cipher,
      Buffer.from(family.key, 'base64url'),
      bytes.subarray(0, ivBytes),
      { authTagLength: tagBytes },
    );
    opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const text = opening.update(bytes.subarray(ivBytes + tagBytes));
    return JSON.parse(Buffer.concat([text, opening.final()]).toString());
  } catch {
    return undefined;
  }
}

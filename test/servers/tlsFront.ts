/**
 * TLS on a loopback address in front of a plain server of this process. Its certificate is self-signed, for
 * 127.0.0.1 and localhost, and worth nothing outside of tests.
 */
import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { listen } from '../support/listening.ts';

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBcjCCARegAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5NQ1AgSG9z
dCB0ZXN0czAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOTUNQIEhvc3QgdGVzdHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARQ
dDuquLM68f9iKfxSslZoSBCZBdXPC7dQ/huyJcPRUb4dMts13E/ZkR6QqHGMh3BR
lBrtoQvJqH+i8oTqFcRoo04wTDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEw
DwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUwCvBlNGY3ikZIB9mZV8kehwl4MEw
CgYIKoZIzj0EAwIDSQAwRgIhAI5/aaf236tfQZPELtjkVFrxxVV23ZBta0y2biAN
LoqrAiEA/pVxeNdTirVHLhosR4+01Jfd7qe9Dxen5tBzIx4VKxo=
-----END CERTIFICATE-----
`;

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgc9ZS17OtP1trm0GR
9LLCPqrafhsMlTm0QAVg13oO4kahRANCAARQdDuquLM68f9iKfxSslZoSBCZBdXP
C7dQ/huyJcPRUb4dMts13E/ZkR6QqHGMh3BRlBrtoQvJqH+i8oTqFcRo
-----END PRIVATE KEY-----
`;

/** For whoever speaks TLS itself. */
export const selfSigned = { cert: certificate, key } as const;

export interface FrontOptions {
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** Instead of the self-signed one. */
  readonly cert?: string;
  readonly key?: string;
  /** Clients have to show a certificate of this authority. */
  readonly clientCa?: string;
}

/** Runs `use` with the port on which TLS is spoken for the server at `plainPort`. */
export async function withTls(
  plainPort: number,
  use: (port: number) => Promise<void>,
  options: FrontOptions = {},
): Promise<void> {
  const { host = '127.0.0.1', clientCa } = options;
  const asking =
    clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true };
  const own = { key: options.key ?? key, cert: options.cert ?? certificate };
  const sockets = new Set<Socket>();
  const server = createServer({ ...own, ...asking }, (secure) => {
    const plain = connect(plainPort, '127.0.0.1');
    for (const [one, other] of [
      [secure, plain],
      [plain, secure],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  // A client that does not accept the certificate hangs up.
  server.on('tlsClientError', () => undefined);
  const port = await listen(server, host);
  try {
    await use(port);
  } finally {
    for (const socket of sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

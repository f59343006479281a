import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server on a free port of the loopback address, gone with its connections at the end of the block. */
export interface Started extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

async function start(server: Server, scheme: string): Promise<Started> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function startHttp(listener: RequestListener): Promise<Started> {
  return await start(createServer(listener), 'http');
}

/** Answers as the test writes it, byte by byte. */
export async function startRaw(onSocket: (socket: Socket) => void): Promise<Started> {
  return await start(createTcpServer(onSocket), 'http');
}

/** Answers every request with the same text, whatever it asks. */
export async function startText(answer: string): Promise<Started> {
  return await startRaw((socket) => {
    socket.once('data', () => socket.end(answer));
  });
}

export interface Certificates extends Disposable {
  readonly folder: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly clientCert: string;
  readonly clientKey: string;
  /** Certificate and key of the client in one file. */
  readonly clientBoth: string;
}

/** An authority of its own, a server certificate for 127.0.0.1 and localhost, and a client certificate. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'svc-certificates-'));
  const path = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=test authority',
    '-days',
    '2',
  );
  for (const [name, extra] of [
    ['server', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
    ['client', 'extendedKeyUsage=clientAuth'],
  ] as const) {
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-subj',
      `/CN=${name}`,
      '-addext',
      extra,
      '-addext',
      'basicConstraints=critical,CA:FALSE',
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-days',
      '2',
    );
  }
  execFileSync('sh', ['-c', 'cat client.pem client.key > both.pem'], { cwd: folder });
  return {
    folder,
    ca: path('ca.pem'),
    cert: path('server.pem'),
    key: path('server.key'),
    clientCert: path('client.pem'),
    clientKey: path('client.key'),
    clientBoth: path('both.pem'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

function pems({ cert, key }: Certificates): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

/** `demandClient`: a certificate of the client is required. */
export async function startTls(
  certificates: Certificates,
  listener: RequestListener,
  demandClient = false,
): Promise<Started> {
  const demand = demandClient ? { requestCert: true, rejectUnauthorized: true, ca: readFileSync(certificates.ca) } : {};
  return await start(createTlsServer({ ...pems(certificates), ...demand }, listener), 'https');
}

/** Speaks HTTP/2 and nothing else. */
export async function startHttp2(certificates: Certificates, answer: string): Promise<Started> {
  const server = createSecureServer({ ...pems(certificates), allowHTTP1: false });
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/plain' });
    stream.end(answer);
  });
  return await start(server, 'https');
}

/** A proxy that forwards plain requests and tunnels with CONNECT; `login` is what `Proxy-Authorization` must hold. */
export async function startProxy(seen: string[], login?: string): Promise<Started> {
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (login !== undefined && request.headers['proxy-authorization'] !== login) {
      response.writeHead(407).end();
      return;
    }
    const target = new URL(request.url ?? '');
    const onward = connect(Number(target.port), target.hostname, () => {
      onward.write(
        `${request.method} ${target.pathname}${target.search} HTTP/1.1\r\nHost: ${target.host}\r\nConnection: close\r\n\r\n`,
      );
    });
    onward.on('error', () => response.writeHead(502).end());
    onward.pipe(request.socket);
  });
  server.on('connect', (request, socket, head) => {
    seen.push(`CONNECT ${request.url}`);
    const [host, port] = (request.url ?? '').split(':');
    if (login !== undefined && request.headers['proxy-authorization'] !== login) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
  });
  return await start(server, 'http');
}

/** A SOCKS 5 proxy that knows only "connect", with or without a login (`user:password`). */
export async function startSocks(seen: string[], login?: string): Promise<Started> {
  return await startRaw((socket) => {
    const entered = (next: (request: Buffer) => void): void => {
      if (login === undefined) return void socket.once('data', next);
      socket.once('data', (given: Buffer) => {
        const user = given.subarray(2, 2 + (given[1] ?? 0)).toString();
        const isKnown = `${user}:${given.subarray(3 + (given[1] ?? 0)).toString()}` === login;
        socket.write(Uint8Array.of(1, isKnown ? 0 : 1));
        if (isKnown) socket.once('data', next);
        else socket.end();
      });
    };
    socket.once('data', () => {
      socket.write(Uint8Array.of(5, login === undefined ? 0 : 2));
      entered((request: Buffer) => {
        const [host, rest] =
          request[3] === 1
            ? [[...request.subarray(4, 8)].join('.'), 8]
            : [request.subarray(5, 5 + (request[4] ?? 0)).toString(), 5 + (request[4] ?? 0)];
        const port = request.readUInt16BE(rest);
        seen.push(`${host}:${port}`);
        const onward = connect(port, host, () => {
          socket.write(Uint8Array.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0));
          onward.pipe(socket).pipe(onward);
        });
        onward.on('error', () => socket.destroy());
      });
    });
  });
}

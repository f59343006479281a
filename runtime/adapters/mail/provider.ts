import { isIP } from 'node:net';

import type { Ports, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import { checkHeaders, mailboxOf } from './check-headers.ts';
import { mailFailure, mayTryNext } from './mail-failure.ts';
import type { Mail, MailMessage, MailServer } from './port.ts';

export const provider: Provider<'mail'> = {
  open: ({ host, port, mask }) =>
    ({
      send: async (message, server, { timeout_ms: timeoutMs, signal }) => {
        checkHeaders(message);
        if (server.login && !server.tls)
          throw fail.mailNotSent({ server: serverName(server), reason: 'a login is not sent without TLS' });
        if (server.login) mask(server.login.password);
        const limit = new AbortController();
        const endTimer = host.clock.timer(timeoutMs, () =>
          limit.abort(
            fail.mailNotSent({ server: serverName(server), reason: `no answer within ${timeoutMs / 1000} s` }),
          ),
        );
        try {
          await sendTo(message, server, {
            outbound: await port('outbound'),
            timeoutMs,
            signal: AbortSignal.any([signal, limit.signal]),
          });
        } finally {
          endTimer();
        }
      },
    }) satisfies Mail,
};

interface Sending {
  readonly outbound: Ports['outbound'];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The addresses of a name are tried in turn, as long as none of them could be connected to. */
async function sendTo(message: MailMessage, server: MailServer, sending: Sending): Promise<void> {
  const addresses = await sending.outbound.checkHost(server.host, { signal: sending.signal });
  let last: unknown;
  for (const address of addresses) {
    try {
      return await deliver(message, server, address, sending);
    } catch (error) {
      if (sending.signal.aborted) throw sending.signal.reason;
      last = error;
      if (!mayTryNext(error)) break;
    }
  }
  throw mailFailure(last, serverName(server));
}

async function deliver(
  { from, to, subject, text }: MailMessage,
  { host, port, tls, login }: MailServer,
  address: string,
  { timeoutMs, signal }: Sending,
): Promise<void> {
  signal.throwIfAborted();
  const { createTransport } = await import('nodemailer');
  const secure = tls && port === 465;
  const transport = createTransport({
    host: address,
    port,
    secure,
    ...(tls ? { requireTLS: !secure, ...(isIP(host) === 0 && { tls: { servername: host } }) } : { ignoreTLS: true }),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Content is text: no part of it may name a file or an address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const stop = (): void => transport.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const sent = transport.sendMail({ from: mailboxOf(from), to: to.map(mailboxOf), subject, text });
    const { rejected } = await untilAborted(sent, signal);
    if (rejected.length > 0)
      throw fail.mailNotSent({
        server: `${host}:${port}`,
        reason: `it refuses ${rejected.length} of the recipients, the others have got it`,
      });
  } finally {
    signal.removeEventListener('abort', stop);
    transport.close();
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function serverName({ host, port }: MailServer): string {
  return `${host}:${port}`;
}

import { execFileSync } from 'node:child_process';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Mail, MailMessage, MailServer } from '#runtime/adapters/mail/port.ts';
import type { Level } from '#runtime/services/notify/port.ts';

import { describeSink } from '../conformance/notify-sink.ts';
import { makeCertificate, SMTP_PASSWORD, startSmtp, trust, type Certificate, type Smtp } from '../fixtures/smtp.ts';
import { failureOf, session, type Session } from '../commands/call.ts';
import { lacks } from '../fixtures/programs.ts';

// The servers of these tests speak TLS, with a certificate of their own.
describe.skipIf(lacks('openssl'))('with TLS', () => {
  let certificate: Certificate;
  let distrust: () => void;
  beforeAll(() => {
    certificate = makeCertificate();
    distrust = trust(certificate);
  });
  afterAll(() => distrust());

  describeSink({
    type: 'email',
    longestBody: 65_550,
    showsLevel: ['info', 'warning', 'error'],
    start: async () => {
      const smtp = await startSmtp({ certificate, loginNeeded: true });
      return {
        options: {
          host: 'localhost',
          port: smtp.port,
          sender: 'CI <ci@x.example>',
          recipients: ['ops@x.example', 'Ada <ada@x.example>'],
          username: 'robot',
          password: SMTP_PASSWORD,
        },
        nowhere: { port: 1 },
        secrets: [SMTP_PASSWORD],
        shown: () =>
          smtp.mails.map(({ headers, text }) => {
            const [, level = '', subject = ''] = /^\[([A-Z]+)\] (.*)$/.exec(headers['subject'] ?? '') ?? [];
            return { subject, body: text, level: level.toLowerCase() as Level };
          }),
        refuse: () => smtp.refuseNext(),
        hang: () => smtp.hangNext(),
        [Symbol.asyncDispose]: () => smtp[Symbol.asyncDispose](),
      };
    },
  });

  const message: MailMessage = {
    from: 'CI <ci@x.example>',
    to: ['ops@x.example', 'Ada <ada@x.example>'],
    subject: 'Build of Größe',
    text: 'done\n.\nnot the end\nFrom here',
  };

  describe('mail', () => {
    let unit: Session;
    let mail: Mail;
    beforeAll(async () => {
      unit = await session({ settings: { gates: { private: true } } });
      mail = await unit.work.port('mail', unit.work.linked);
    });
    afterAll(() => unit.end());

    const { signal } = new AbortController();
    const send = (
      server: Partial<MailServer> & { readonly port: number },
      given: Partial<MailMessage> = {},
    ): Promise<void> =>
      mail.send({ ...message, ...given }, { host: 'localhost', tls: true, ...server }, { timeout_ms: 5000, signal });
    const login = { user: 'robot', password: SMTP_PASSWORD };
    async function within(
      options: Parameters<typeof startSmtp>[0],
      work: (smtp: Smtp) => Promise<unknown>,
    ): Promise<void> {
      await using smtp = await startSmtp({ certificate, ...options });
      await work(smtp);
    }

    test('goes over STARTTLS, with its headers, to every recipient; dots and lines stay', () =>
      within({}, async (smtp) => {
        await send(smtp);
        expect(smtp.mails).toMatchObject([
          {
            from: 'ci@x.example',
            to: ['ops@x.example', 'ada@x.example'],
            secure: true,
            text: message.text,
            headers: { from: 'CI <ci@x.example>', to: 'ops@x.example, Ada <ada@x.example>', subject: 'Build of Größe' },
          },
        ]);
      }));

    test.skipIf(lacks('python3'))('is read by another mail library', () =>
      within({}, async (smtp) => {
        await send(smtp, { subject: `Übergröße ${'lang '.repeat(60)}Ende`, text: 'ä'.repeat(2000) });
        const script =
          'import sys,email,email.policy,json\nm=email.message_from_bytes(sys.stdin.buffer.read(),policy=email.policy.default)\nprint(json.dumps([m["subject"],m["to"],m.get_content_type(),m.get_content().rstrip("\\n"),[str(d) for d in m.defects]]))';
        const read: unknown = JSON.parse(
          execFileSync('python3', ['-c', script], {
            input: Buffer.from(smtp.mails[0]?.raw ?? '', 'latin1'),
            encoding: 'utf8',
          }),
        );
        expect(read).toEqual([
          `Übergröße ${'lang '.repeat(60)}Ende`,
          'ops@x.example, Ada <ada@x.example>',
          'text/plain',
          'ä'.repeat(2000),
          [],
        ]);
      }),
    );

    test('signs in over TLS', () =>
      within({ loginNeeded: true }, async (smtp) => {
        await send({ port: smtp.port, login });
        expect(smtp.mails).toMatchObject([{ user: 'robot', secure: true }]);
        expect(smtp.seen[0]).toBe('AUTH robot tls');
      }));

    test('a refused login is told without the password', () =>
      within({ loginNeeded: true }, async (smtp) => {
        const failed = await failureOf(send({ port: smtp.port, login: { user: 'robot', password: 'wrong password' } }));
        expect(failed.message).toMatch(
          new RegExp(`^The mail server localhost:${smtp.port} did not take the message: it refuses the login: 535 `),
        );
        expect(failed.message).not.toContain('wrong password');
        expect(failed.name).toBe('NotificationException');
      }));

    test('a login is never sent in the clear', () =>
      within({ plain: true, loginNeeded: true }, async (smtp) => {
        expect((await failureOf(send({ port: smtp.port, login, tls: false }))).message).toContain(
          'a login is not sent without TLS',
        );
        expect((await failureOf(send({ port: smtp.port, login }))).message).toContain('no TLS');
        expect(smtp.seen).toEqual([]);
      }));

    test('a server that offers no STARTTLS gets the message only where that was wanted', () =>
      within({ plain: true }, async (smtp) => {
        await send({ port: smtp.port, tls: false });
        expect(smtp.mails).toMatchObject([{ secure: false }]);
        expect((await failureOf(send(smtp))).facts.code).toBe('SVC87403');
        expect(smtp.mails).toHaveLength(1);
      }));

    test('a certificate that nobody trusts, or of another name, is refused', () =>
      within({}, async (smtp) => {
        expect((await failureOf(send({ port: smtp.port, host: '127.0.0.1' }))).message).toMatch(
          /no TLS|altnames|does not match|certificate/i,
        );
        distrust();
        try {
          expect((await failureOf(send(smtp))).message).toMatch(/self-signed certificate/);
        } finally {
          distrust = trust(certificate);
        }
        expect(smtp.mails).toEqual([]);
      }));

    test('refused recipients: all of them, or some while the others get it', () =>
      within({}, async (smtp) => {
        expect((await failureOf(send(smtp, { to: ['nobody@x.example'] }))).message).toMatch(
          /it refuses an address: .*No such user here/,
        );
        expect(
          (await failureOf(send(smtp, { to: ['ops@x.example', 'nobody1@x.example', 'nobody2@x.example'] }))).message,
        ).toContain('it refuses 2 of the recipients, the others have got it');
        expect(smtp.mails.map(({ to }) => to)).toEqual([['ops@x.example']]);
      }));

    test.each([
      ['subject', { subject: 'Hello\r\nBcc: victim@x.example' }],
      ['subject', { subject: 'Hello\nX' }],
      ['mail address', { to: ['ops@x.example\r\nRCPT TO:<victim@x.example>'] }],
      ['mail address', { from: 'ci@x.example\r\nX-Evil: 1' }],
      ['mail address', { to: ['no address'] }],
      ['mail address', { to: ['ops@x.example, victim@x.example'] }],
      ['mail address', { to: ['ops@x.example; victim@x.example'] }],
      ['mail address', { to: ['victim@x.example <ops@x.example>, <second@x.example>'] }],
      ['mail address', { to: ['team: ops@x.example, victim@x.example;'] }],
      ['mail address', { from: 'ci@x.example, boss@x.example' }],
      ['mail address', { to: ['ops@x.example (a'] }],
    ])('a header that would smuggle something in is refused before anything is sent: %s %j', (what, given) =>
      within({}, async (smtp) => {
        expect((await failureOf(send(smtp, given))).message).toMatch(
          new RegExp(`^A notification cannot have the ${what} "`),
        );
        expect(smtp.seen).toEqual([]);
      }),
    );

    test('names before an address may hold what they like but angles', () =>
      within({}, async (smtp) => {
        await send(smtp, {
          from: 'Lovelace, Ada; "CI" <ci@x.example>',
          to: ['Ops: Größe <ops@x.example>', '<ada@x.example>', "o'neil+a.b@x.example"],
        });
        expect(smtp.mails).toMatchObject([
          { from: 'ci@x.example', to: ['ops@x.example', 'ada@x.example', "o'neil+a.b@x.example"] },
        ]);
      }));

    test('a text is text: it is not read from files or addresses', () =>
      within({}, async (smtp) => {
        await send(smtp, { text: '/etc/hostname', subject: 'file:///etc/hostname' });
        expect(smtp.mails[0]).toMatchObject({ text: '/etc/hostname' });
      }));

    test('a name is looked up once, and its addresses are tried in turn', () =>
      within({}, async (smtp) => {
        const asked: string[] = [];
        const host = {
          ...unit.work.run.host,
          lookup: async (name: string) => (asked.push(name), ['127.0.0.2', '127.0.0.1']),
        };
        await using other = await session({ host, settings: { gates: { private: true } } });
        const guarded = await other.work.port('mail', other.work.linked);
        await guarded.send(message, { host: 'localhost', port: smtp.port, tls: true }, { timeout_ms: 5000, signal });
        expect(asked).toEqual(['localhost']);
        expect(smtp.mails).toHaveLength(1);
      }));
  });

  describe('TLS from the first byte', () => {
    async function sendTo(port: number, timeoutMs: number): Promise<readonly unknown[]> {
      await using unit = await session({ settings: { gates: { private: true } } });
      const mail: Mail = await unit.work.port('mail', unit.work.linked);
      await using smtp = await startSmtp({ certificate, implicitTls: true, port });
      await mail.send(
        message,
        { host: 'localhost', port: smtp.port, tls: true },
        { timeout_ms: timeoutMs, signal: new AbortController().signal },
      );
      return smtp.mails;
    }

    // Only root may listen there; CI does.
    test.skipIf(process.getuid?.() !== 0)('is spoken at port 465', async () => {
      expect(await sendTo(465, 5000)).toMatchObject([{ secure: true, text: message.text }]);
    });

    test('is spoken at no other port', async () => {
      await expect(sendTo(0, 500)).rejects.toThrow('no answer within 0.5 s');
    });
  });
});

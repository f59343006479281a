import { beforeEach, describe, expect, test } from 'vitest';

import type { Level, Notify, SinkType } from '#runtime/services/notify/port.ts';
import { Failure } from '#schemas/types/failure.ts';

import { session, type Session } from '../commands/session.ts';

/** A message as the service that took it shows it. */
export interface Shown {
  readonly subject: string;
  readonly body: string;
  readonly level: Level;
}

/** A running service, and how a sink of its type is given to it. */
export interface SinkService extends AsyncDisposable {
  readonly options: Readonly<Record<string, unknown>>;
  /** Secrets that must appear nowhere. */
  readonly secrets: readonly string[];
  /** The messages that it took, as its readers see them. */
  shown(): readonly Shown[];
  /** The next message is refused. */
  refuse(): void;
  /** The next message is never answered. */
  hang(): void;
  /** Options that lead where nobody listens. */
  readonly nowhere: Readonly<Record<string, unknown>>;
}

export interface SinkCase {
  readonly type: SinkType;
  start(): Promise<SinkService>;
  /** Bytes or characters of a body that the service is sent at most, its mark included. */
  readonly longestBody: number;
  /** A level that the service does not show is read as info. */
  readonly showsLevel: readonly Level[];
}

/** Suite that every sink must pass, whatever it speaks. */
export function describeSink({ type, start, longestBody, showsLevel }: SinkCase): void {
  describe(`a sink of type ${type}`, () => {
    let service: SinkService;
    let unit: Session;
    let notify: Notify;
    const { signal } = new AbortController();
    const send = async (body: string, level: Level = 'info'): Promise<string> =>
      (await notify.send({ subject: 'Nightly build', body, level }, signal))[type] ?? 'no such sink';

    beforeEach(async () => {
      // Each test has a service of its own: one that was told to hang might not have been asked yet.
      service = await start();
      unit = await session({ settings: { gates: { private: true } } });
      notify = await unit.work.port('notify', unit.work.linked);
      notify.configure(0);
      await notify.register(type, null, { ...service.options, timeout: 5 }, signal);
      return async () => {
        await unit.end();
        await service[Symbol.asyncDispose]();
      };
    });

    test.each(showsLevel)('delivers subject, body and level %s', async (level) => {
      expect(await send('all 12 tests passed\nin 3 s', level)).toBe('sent');
      expect(service.shown().at(-1)).toEqual({ subject: 'Nightly build', body: 'all 12 tests passed\nin 3 s', level });
    });

    test('delivers letters of every alphabet, and an empty body', async () => {
      expect(await send('Grüße, 世界, Ω, 🎉')).toBe('sent');
      expect(service.shown().at(-1)?.body).toBe('Grüße, 世界, Ω, 🎉');
      expect(await send('')).toBe('sent');
      expect(service.shown().at(-1)?.body).toBe('');
    });

    test('cuts a long body where the service would refuse it, never within a character', async () => {
      expect(await send('🎉ab'.repeat(100_000))).toBe('sent');
      const body = service.shown().at(-1)?.body ?? '';
      expect(body.length).toBeLessThanOrEqual(longestBody);
      expect(body.length).toBeGreaterThan(longestBody / 3);
      expect(body.isWellFormed()).toBe(true);
      expect(body).not.toContain('\ufffd');
      expect(body).toMatch(/…/);
    });

    test('tells a refusal, and the next message arrives', async () => {
      service.refuse();
      const before = service.shown().length;
      expect(await send('one')).toMatch(/did not take the message/);
      expect(service.shown()).toHaveLength(before);
      expect(await send('two')).toBe('sent');
    });

    test('gives up when its time is over', async () => {
      await notify.register(type, null, { ...service.options, timeout: 0.3 }, signal);
      service.hang();
      expect(await send('slow')).toMatch(/did not take the message.*within 0\.3 s/);
    });

    test('says so when nobody listens', async () => {
      await notify.register(type, null, { ...service.options, ...service.nowhere }, signal);
      expect(await send('into the dark')).toMatch(/did not take the message/);
    });

    test('ends when it is aborted', async () => {
      service.hang();
      const controller = new AbortController();
      const sending = notify.send({ subject: 'x', body: '', level: 'info' }, controller.signal);
      setTimeout(() => controller.abort(new Error('stopped')), 50);
      await expect(sending).rejects.toThrow('stopped');
    });

    test('shows no secret: not in its description, not in what went wrong, and masks them', async () => {
      const told = [JSON.stringify(notify.list())];
      service.refuse();
      told.push(await send('refused'));
      await notify.register(type, null, { ...service.options, ...service.nowhere, timeout: 1 }, signal);
      told.push(await send('nowhere'));
      for (const secret of service.secrets) {
        for (const text of told) expect(text).not.toContain(secret);
        expect(unit.work.run.masker.text(`it was ${secret}.`)).toBe('it was ***.');
      }
    });

    test('takes no message without a subject or of an unknown level, and sends nothing', async () => {
      const before = service.shown().length;
      await expect(notify.send({ subject: '', body: '', level: 'info' }, signal)).rejects.toThrow(
        'A notification cannot have the subject ""',
      );
      await expect(notify.send({ subject: 'x', body: '', level: 'fatal' as Level }, signal)).rejects.toThrow(
        'A notification cannot have the level "fatal"',
      );
      expect(service.shown()).toHaveLength(before);
    });

    test('goes to no private address unless that is allowed', async () => {
      await using closed = await session({ settings: { gates: { private: false } } });
      const guarded = await closed.work.port('notify', closed.work.linked);
      const refused: unknown = await guarded
        .register(type, null, service.options, signal)
        .catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Failure);
      expect((refused as Failure).name).toBe('UrlValidationException');
      expect(guarded.list()).toEqual([]);
      for (const secret of service.secrets) expect(String(refused)).not.toContain(secret);
    });

    test('refuses options that are missing, unknown or of another kind, without showing them', async () => {
      const [first = ''] = Object.keys(service.options);
      const { [first]: _left, ...rest } = service.options;
      await expect(notify.register(type, 'x', rest, signal)).rejects.toThrow(
        /"x" cannot be used: the option ".*" is missing/,
      );
      await expect(notify.register(type, 'x', { ...service.options, colour: 'secret red' }, signal)).rejects.toThrow(
        /"x" cannot be used: there is no option "colour", only [a-z_, ]+\.$/,
      );
      await expect(notify.register(type, 'x', { ...service.options, timeout: 0 }, signal)).rejects.toThrow(
        'the option "timeout" must be a number above 0',
      );
      await expect(notify.register(type, 'x', { ...service.options, [first]: [[]] }, signal)).rejects.toThrow(
        `the option "${first}" must be`,
      );
    });
  });
}

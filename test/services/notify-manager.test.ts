import { describe, expect, test } from 'vitest';

import { memoryHost } from '#runtime/hosts/memory.ts';
import { NotificationManager, notify_on_failure } from '#runtime/services/notify/manager.ts';

describe('a manager', () => {
  const host = memoryHost();
  const sink = (
    name: string,
    does: () => Promise<void> | void = () => undefined,
  ): { name: string; calls: number; send(): Promise<void> } => {
    const made = {
      name,
      calls: 0,
      send: async () => {
        made.calls++;
        await does();
      },
    };
    return made;
  };

  test('sends equal messages once within the window, which begins at delivery and is not extended', async () => {
    const manager = new NotificationManager(host, { dedup_seconds: 60 });
    const own = sink('own');
    manager.register(own);
    expect(await manager.notify('a', 'b')).toEqual({ own: 'sent' });
    expect(await manager.notify('a', 'b', 'error')).toEqual({ own: 'sent' });
    await host.clock.run(host.clock.sleep(50_000));
    expect(await manager.notify('a', 'b')).toEqual({ own: 'dedup' });
    await host.clock.run(host.clock.sleep(20_000));
    expect(await manager.notify('a', 'b')).toEqual({ own: 'sent' });
    manager.configure(0);
    expect(await manager.notify('a', 'b')).toEqual({ own: 'sent' });
    expect(own.calls).toBe(4);
  });

  test('tries a message again that nobody took, and forgets everything with its sinks', async () => {
    const manager = new NotificationManager(host);
    let broken = true;
    manager.register(
      sink('own', () => {
        if (broken) throw new Error('down');
      }),
    );
    expect(await manager.notify('a')).toEqual({ own: 'down' });
    broken = false;
    expect(await manager.notify('a')).toEqual({ own: 'sent' });
    expect(await manager.notify('a')).toEqual({ own: 'dedup' });
    expect(manager.unregister_all()).toBe(1);
    manager.register(sink('own'));
    expect(await manager.notify('a')).toEqual({ own: 'sent' });
  });

  test('a message without sinks is not remembered', async () => {
    const manager = new NotificationManager(host);
    expect(await manager.notify('a')).toEqual({});
    manager.register(sink('own'));
    expect(await manager.notify('a')).toEqual({ own: 'sent' });
  });

  test('the same message twice at the same time is sent once; where it fails, it is tried again', async () => {
    const manager = new NotificationManager(host);
    const slow = sink('slow', () => host.clock.sleep(1000));
    manager.register(slow);
    expect(await host.clock.run(Promise.all([manager.notify('a'), manager.notify('a'), manager.notify('b')]))).toEqual([
      { slow: 'sent' },
      { slow: 'dedup' },
      { slow: 'sent' },
    ]);
    expect(slow.calls).toBe(2);
    let first = true;
    manager.register(
      sink('slow', async () => {
        await host.clock.sleep(10);
        if (first) {
          first = false;
          throw new Error('down');
        }
      }),
    );
    expect(await host.clock.run(Promise.all([manager.notify('c'), manager.notify('c'), manager.notify('c')]))).toEqual([
      { slow: 'down' },
      { slow: 'sent' },
      { slow: 'dedup' },
    ]);
  });

  test('waits for no sink longer than its limit', async () => {
    const manager = new NotificationManager(host, { limit_seconds: 5 });
    manager.register(sink('deaf', () => new Promise<void>(() => undefined)));
    manager.register(sink('fine'));
    const begun = host.clock.monotonic();
    expect(await host.clock.run(manager.notify('a'))).toEqual({ deaf: 'no answer within 5 s', fine: 'sent' });
    expect(host.clock.monotonic() - begun).toBe(5000);
  });

  test("takes sinks of one's own, and nothing else", () => {
    const manager = new NotificationManager(host);
    expect(manager.has_sinks).toBe(false);
    manager.register(sink('own'));
    expect([manager.has_sinks, manager.list()]).toEqual([true, [{ name: 'own', type: 'custom' }]]);
    for (const odd of [
      null,
      {},
      { name: 'x' },
      { name: '', send: () => undefined },
      { name: 1, send: () => undefined },
    ])
      expect(() => manager.register(odd as never)).toThrow('a sink has a name and a function "send"');
  });

  test('tells a failure to sinks only where there are some, and never rejects', async () => {
    const manager = new NotificationManager(host);
    await notify_on_failure(manager, 'svc: scheduler[x] failed', 'boom');
    const told: unknown[] = [];
    manager.register({
      name: 'own',
      send: async (...message) => {
        told.push(message.slice(0, 3));
        throw new Error('down');
      },
    });
    await notify_on_failure(manager, 'svc: scheduler[x] failed', 'boom');
    expect(told).toEqual([['svc: scheduler[x] failed', 'boom', 'error']]);
  });
});

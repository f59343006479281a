import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { memoryHost } from '#runtime/hosts/memory.ts';
import type { CheckSummary } from '#schemas/types/tree-check.ts';
import { driftAlert, type Alert } from '#stdlib/files/safety/integrity/drift-alert.ts';
import { IntegrityMonitor, type OnDrift } from '#stdlib/files/safety/integrity/integrity-monitor.ts';

import { commandLine } from '../../../built.ts';
import { startNotifyServices, type NotifyServices } from '../../../fixtures/notify-services.ts';
import { session, type Session } from '../../session.ts';
import { openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

const digests: Readonly<Record<string, string>> = {
  a: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
  b: '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d',
};

/** A tree in memory with a manifest that fits it, and a monitor that looks every ten seconds. */
async function watched({
  extra = false,
  onDrift,
  takes = () => true,
}: { readonly extra?: boolean; readonly onDrift?: OnDrift; readonly takes?: () => boolean } = {}) {
  const { files, clock } = memoryHost();
  const host = memoryHost();
  await files.makeDirectory('/tree', { recursive: true });
  const names = Object.keys(digests);
  for (const name of names) await files.write(`/tree/${name}`, name);
  const manifest = {
    version: 1,
    algorithm: 'sha256',
    files: Object.fromEntries(names.map((name) => [name, { size: 1, checksum: digests[name] }])),
  };
  const restore = (): Promise<void> => files.write('/tree.json', JSON.stringify(manifest));
  await restore();
  const alerts: Alert[] = [];
  const failed: string[] = [];
  const digestPort = { open: (name: string) => host.digest(name) ?? missing(name), names: host.digests };
  const monitor = new IntegrityMonitor(
    {
      files,
      clock,
      digests: digestPort,
      folders: { cwd: '/', root: '/', here: '/' },
      alert: async (alert) => (alerts.push(alert), takes()),
      callbackFailed: (reason) => void failed.push(reason),
    },
    { root: '/tree', manifest_path: '/tree.json', interval: 10, alert_on_extra: extra },
    onDrift,
  );
  return { files, clock, monitor, alerts, failed, restore };
}

function missing(name: string): never {
  throw new Error(name);
}

describe('a monitor', () => {
  it('looks after one interval, and tells of drift when it appears, changes or comes back', async () => {
    const { files, clock, monitor, alerts } = await watched();
    monitor.start();
    monitor.start();
    await clock.advance(9_999);
    expect([monitor.running, monitor.last_summary]).toEqual([true, null]);
    await clock.advance(2);
    expect(monitor.last_summary).toEqual({ matched: ['a', 'b'], missing: [], modified: [], extra: [], ok: true });
    await files.write('/tree/a', 'x');
    await clock.advance(40_000);
    expect(alerts).toEqual([{ subject: 'integrity drift: /tree', body: 'modified: a' }]);
    await files.remove('/tree/b');
    await clock.advance(20_000);
    expect(alerts.slice(1).map(({ body }) => body)).toEqual(['missing: b\nmodified: a']);
    await files.write('/tree/a', 'a');
    await files.write('/tree/b', 'b');
    await clock.advance(20_000);
    expect([alerts.length, monitor.last_summary?.ok]).toEqual([2, true]);
    await files.write('/tree/a', 'x');
    await clock.advance(20_000);
    expect(alerts.slice(2).map(({ body }) => body)).toEqual(['modified: a']);
    await monitor.stop();
    expect(monitor.running).toBe(false);
    await files.remove('/tree/a');
    await clock.advance(60_000);
    expect(alerts.length).toBe(3);
    expect(clock.waiting).toEqual([]);
  });

  it('takes extra files for drift only where that is asked for', async () => {
    for (const extra of [false, true]) {
      const { files, clock, monitor, alerts } = await watched({ extra });
      await files.write('/tree/new', 'n');
      monitor.start();
      await clock.advance(30_000);
      expect([monitor.last_summary?.extra, monitor.last_summary?.ok, alerts.map(({ body }) => body)]).toEqual([
        ['new'],
        !extra,
        extra ? ['extra: new'] : [],
      ]);
      await monitor.stop();
    }
  });

  it('tells of a manifest that cannot be read, and of a tree that is gone, and goes on', async () => {
    const { files, clock, monitor, alerts, restore } = await watched();
    monitor.start();
    await files.write('/tree.json', '{');
    await clock.advance(20_000);
    expect(monitor.last_summary).toEqual({
      matched: [],
      missing: [],
      modified: [],
      extra: [],
      ok: false,
      error: '"/tree.json" is not a manifest that can be read.',
    });
    await files.write('/tree.json', '{"version":1,"algorithm":"rot13","files":{}}');
    await clock.advance(20_000);
    await files.removeTree('/tree');
    await clock.advance(20_000);
    expect(alerts.map(({ body }) => body)).toEqual([
      'error: "/tree.json" is not a manifest that can be read.',
      'error: There is no digest "rot13".',
      'error: There is no folder "/tree".',
    ]);
    await restore();
    await files.makeDirectory('/tree', { recursive: true });
    await clock.advance(20_000);
    expect(alerts.at(-1)?.body).toBe('missing: a, b');
    await monitor.stop();
  });

  it('calls the function first, with a summary of its own, and outlives whatever it throws', async () => {
    const heard: string[] = [];
    const { files, clock, monitor, alerts, failed } = await watched({
      onDrift: (summary) => {
        heard.push(`${summary.missing.join()} ${alerts.length}`);
        summary.missing.push('scribble');
        throw new TypeError('no good');
      },
    });
    await files.remove('/tree/a');
    monitor.start();
    await clock.advance(20_000);
    await files.remove('/tree/b');
    await clock.advance(20_000);
    expect([heard, failed, alerts.length]).toEqual([['a 0', 'a,b 1'], ['no good', 'no good'], 2]);
    expect(monitor.last_summary?.missing).toEqual(['a', 'b']);
    await monitor.stop();
  });

  it('can be asked at any time, and can be started anew', async () => {
    const { files, clock, monitor, alerts } = await watched();
    await files.remove('/tree/a');
    expect(await monitor.check_once()).toMatchObject({ missing: ['a'], ok: false });
    expect(await monitor.check_once()).toMatchObject({ missing: ['a'], ok: false });
    expect(alerts.length).toBe(2);
    monitor.start();
    await clock.advance(20_000);
    await monitor.stop();
    monitor.start();
    await files.remove('/tree/b');
    await clock.advance(20_000);
    expect(alerts.slice(2).map(({ body }) => body)).toEqual(['missing: a, b']);
    await monitor.stop();
  });

  it('does not wait for ever for a function that never ends: people are told all the same', async () => {
    const { files, clock, monitor, alerts, failed } = await watched({ onDrift: () => new Promise(() => undefined) });
    await files.remove('/tree/a');
    monitor.start();
    await clock.advance(10_001);
    expect(alerts).toEqual([]);
    await clock.advance(60_000);
    expect([alerts.map(({ body }) => body), failed]).toEqual([['missing: a'], ['it has not ended within 60 s']]);
    await files.remove('/tree/b');
    await clock.advance(10_001);
    await monitor.stop();
    expect([alerts.length, failed.length, clock.waiting]).toEqual([1, 1, []]);
  });

  it('tells people again until somebody took it, and the function once', async () => {
    let taken = false;
    let calls = 0;
    const { files, clock, monitor, alerts } = await watched({ onDrift: () => (calls += 1), takes: () => taken });
    await files.remove('/tree/a');
    monitor.start();
    await clock.advance(30_001);
    expect([calls, alerts.length]).toEqual([1, 3]);
    taken = true;
    await clock.advance(30_000);
    expect([calls, alerts.length]).toEqual([1, 4]);
    await monitor.stop();
  });
});

it('names five of a kind and counts the rest', () => {
  const names = Array.from({ length: 7 }, (_, index) => `f${index}`);
  const summary: CheckSummary = {
    matched: [],
    missing: names,
    modified: ['line\nbreak', 'f\udcfe'],
    extra: ['e'],
    ok: false,
  };
  expect(driftAlert('in', summary, false).body).toBe(
    'missing: f0, f1, f2, f3, f4 (+2 more)\nmodified: "line\\nbreak", "f\\udcfe"',
  );
  expect(driftAlert('in', summary, true).body).toContain('\nextra: e');
});

describe('commands', () => {
  let place: Place;
  let services: NotifyServices;
  let unit: Session;
  beforeAll(async () => {
    services = await startNotifyServices();
  });
  afterAll(() => services[Symbol.asyncDispose]());
  beforeEach(async () => {
    services.received.length = 0;
    place = await openPlace();
    await mkdir(place.path('in'));
    await writeFile(place.path('in/a'), 'a');
    await writeFile(place.path('in/b'), 'b');
    await writeFile(
      place.path('hooks.mjs'),
      'import { appendFileSync } from "node:fs";\nexport const drift = (summary) => appendFileSync(new URL("heard.txt", import.meta.url), JSON.stringify(summary) + "\\n");\nexport const broken = () => { throw new Error("broken hook"); };\n',
    );
    unit = await session({ root: place.root, settings: { gates: { private: true, packages: true } } });
    await unit.call('FA_write_manifest', { root: place.path('in'), manifest_path: place.path('m.json') });
    await unit.call('FA_notify_register', { type: 'webhook', options: { url: `${services.url}/hook` } });
  });
  afterEach(async () => {
    await unit.end();
    await place.close();
  });
  const given = (): Record<string, unknown> => ({ root: place.path('in'), manifest_path: place.path('m.json') });
  /** Drift is what these tests want. */
  const wanted = { expect: [] };

  it('check once: function, then notification, with the same summary', async () => {
    expect(await unit.call('FA_integrity_check', { ...given(), on_drift: 'hooks.mjs#drift' })).toMatchObject({
      ok: true,
    });
    expect(services.received).toEqual([]);
    await writeFile(place.path('in/a'), 'changed');
    const summary = await unit.call('FA_integrity_check', { ...given(), on_drift: 'hooks.mjs#drift' }, wanted);
    expect(summary).toEqual({ matched: ['b'], missing: [], modified: ['a'], extra: [], ok: false });
    expect(JSON.parse(await readFile(place.path('heard.txt'), 'utf8'))).toEqual(summary);
    expect(services.received.map(({ json }) => json)).toEqual([
      { subject: `integrity drift: ${place.path('in')}`, body: 'modified: a', level: 'error' },
    ]);
    expect(
      await unit.call(
        'FA_integrity_check',
        { ...given(), manifest_path: place.path('none'), on_drift: 'hooks.mjs#broken' },
        wanted,
      ),
    ).toMatchObject({ ok: false, error: expect.stringContaining('There is no manifest') });
    await expect(unit.call('FA_integrity_check', { ...given(), on_drift: 'hooks.mjs#nothing' })).rejects.toThrow(
      'nothing',
    );
  });

  it('compare the rest where something that is no file lies about, or in the place of one', async () => {
    const check = async (): Promise<unknown> =>
      unit.call('FA_integrity_check', { ...given(), alert_on_extra: true }, wanted);
    execFileSync('mkfifo', [place.path('in/pipe')]);
    expect(await check()).toEqual({ matched: ['a', 'b'], missing: [], modified: [], extra: ['pipe'], ok: false });
    await writeFile(place.path('in/a'), 'x');
    await rm(place.path('in/b'));
    execFileSync('mkfifo', [place.path('in/b')]);
    expect(await check()).toEqual({ matched: [], missing: [], modified: ['a', 'b'], extra: ['pipe'], ok: false });
  });

  it.skipIf(lacks('setpriv'))('compare the rest where a file or a folder may not be read, and say why', async () => {
    await mkdir(place.path('in/sub'));
    await writeFile(place.path('in/sub/c'), 'c');
    await unit.call('FA_write_manifest', { root: place.path('in'), manifest_path: place.path('m.json') });
    await writeFile(place.path('in/b'), 'changed');
    await chmod(place.root, 0o777);
    await chmod(place.path('in/a'), 0);
    await chmod(place.path('in/sub'), 0);
    await writeFile(
      place.path('check.json'),
      JSON.stringify([{ FA_integrity_check: given(), expect: 'result.ok == false' }]),
    );
    // The superuser may read everything.
    const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    execFileSync(
      'env',
      [...asNobody, process.execPath, ...commandLine, 'run', 'check.json', '--record', 'records.jsonl'],
      { cwd: place.root },
    );
    const { result } = JSON.parse(await readFile(place.path('records.jsonl'), 'utf8')) as { readonly result: unknown };
    expect(result).toEqual({
      matched: [],
      missing: ['sub/c'],
      modified: ['a', 'b'],
      extra: [],
      ok: false,
      error: `"${place.path('in/a')}": permission denied.`,
    });
  });

  it('tell a sink that was out of reach when it is there again', async () => {
    services.answer({ status: 500 });
    await writeFile(place.path('in/a'), 'changed');
    await unit.call('FA_integrity_start', { name: 'one', ...given(), interval: 0.02 });
    while (services.received.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(services.received.map(({ json }) => json['body'])).toEqual(['modified: a', 'modified: a']);
    await unit.call('FA_integrity_stop_all');
  });

  it('start, list and stop monitors by name, which keep the run', async () => {
    const settings = { ...given(), interval: 0.02, alert_on_extra: true };
    const started = await unit.call('FA_integrity_start', { name: 'one', ...settings });
    expect(started).toEqual({ name: 'one', ...settings, running: true, last_summary: null });
    await unit.call('FA_integrity_start', { name: 'two', ...settings, interval: 3600 });
    expect(await unit.call('FA_integrity_start', { name: 'two', ...settings, interval: 3600 })).toMatchObject({
      name: 'two',
    });
    for (const other of [settings, { ...settings, interval: 3600, on_drift: 'hooks.mjs#drift' }])
      await expect(unit.call('FA_integrity_start', { name: 'two', ...other })).rejects.toMatchObject({
        facts: { code: 'SVC86418' },
      });
    expect([...unit.work.jobs].map(({ name }) => name)).toEqual(['integrity one', 'integrity two']);
    await writeFile(place.path('in/new'), 'n');
    while (services.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(services.received.map(({ json }) => json['body'])).toEqual(['extra: new']);
    expect(await unit.call('FA_integrity_list')).toMatchObject([
      { name: 'one', last_summary: { ok: false, extra: ['new'] } },
      { name: 'two', last_summary: null },
    ]);
    expect(await unit.call('FA_integrity_stop', { name: 'one' })).toMatchObject({
      name: 'one',
      running: false,
      last_summary: { ok: false },
    });
    await expect(unit.call('FA_integrity_stop', { name: 'one' })).rejects.toMatchObject({
      facts: { code: 'SVC86417' },
    });
    expect(await unit.call('FA_integrity_stop_all')).toMatchObject([{ name: 'two', running: false }]);
    expect([await unit.call('FA_integrity_list'), unit.work.jobs.size]).toEqual([[], 0]);
  });

  it.skipIf(lacks('sha256sum'))('agree with sha256sum over the files of a manifest', async () => {
    const lines = async (): Promise<string> =>
      Object.entries(
        (JSON.parse(await readFile(place.path('m.json'), 'utf8')) as { files: Record<string, { checksum: string }> })
          .files,
      )
        .map(([name, { checksum }]) => `${checksum}  ${name}\n`)
        .join('');
    const theirs = async (): Promise<number | null> =>
      spawnSync('sha256sum', ['-c', '--status'], { cwd: place.path('in'), input: await lines() }).status;
    expect([((await unit.call('FA_integrity_check', given(), wanted)) as CheckSummary).ok, await theirs()]).toEqual([
      true,
      0,
    ]);
    await rm(place.path('in/b'));
    expect([((await unit.call('FA_integrity_check', given(), wanted)) as CheckSummary).ok, await theirs()]).toEqual([
      false,
      1,
    ]);
  });
});

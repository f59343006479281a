import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { commandLine } from '../../built.ts';
import { startPodman } from '../../fixtures/podman.ts';
import { failureOf, session } from '../call.ts';

const podman = startPodman();
const name = typeof podman === 'string' ? `on Podman: ${podman}` : 'on Podman';

describe.skipIf(typeof podman === 'string')(name, () => {
  if (typeof podman === 'string') return;
  const { host: DOCKER_HOST, image } = podman;
  const folder = mkdtempSync(join(tmpdir(), 'svc-real-containers-'));
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await podman[Symbol.asyncDispose]();
  });

  it('containers answer, say when they are ready, and are gone with the file', async () => {
    const unit = await session({ host: nodeHost({ env: { DOCKER_HOST } }), settings: { gates: { shell: true } } });
    try {
      const started = (await unit.call('WR_tc_generic', {
        image,
        ports: { '8080': 0 },
        wait_for_log: 'it listens',
        start_timeout: 60,
      })) as { readonly connection_url: string };
      const { status } = await fetch(`${started.connection_url.replace('tcp:', 'http:')}/bin/busybox`);
      expect(status).toBe(200);
      await unit.call('WR_tc_generic', { image, ports: { '8080': 0 }, start_timeout: 60 });
      expect(podman.containers()).toHaveLength(2);
      await unit.call('WR_tc_stop', { container: started });
      expect(podman.containers()).toHaveLength(1);
      const failure = await failureOf(unit.call('WR_tc_generic', { image, wait_for_log: 'never', start_timeout: 0.2 }));
      expect(failure.message).toContain('"never" is not in its log');
      expect(podman.containers()).toHaveLength(1);
    } finally {
      await unit.end();
    }
    expect(podman.containers()).toEqual([]);
  }, 180_000);

  const actions = (...more: readonly unknown[]): string =>
    JSON.stringify([['WR_tc_generic', { image, wait_for_log: 'it listens', start_timeout: 60 }], ...more]);

  /** Runs a file in a process of its own; `meanwhile` is called once its container is there. */
  const ended = async (
    text: string,
    meanwhile?: (child: ChildProcess) => void,
  ): Promise<readonly [code: number | null, signal: string | null]> => {
    const file = join(folder, 'a.json');
    writeFileSync(file, text);
    const args = [...commandLine, 'run', file, '--allow', 'shell,packages'];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, DOCKER_HOST } });
    const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
    if (!meanwhile) return await exit;
    try {
      const seen = (): number => (child.exitCode === null ? podman.containers().length : Number.NaN);
      await expect.poll(seen, { timeout: 120_000, interval: 100 }).toBe(1);
      meanwhile(child);
      return await exit;
    } finally {
      child.kill('SIGKILL');
    }
  };

  const waits = ['AT_get_variable', { name: 'none' }];
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'a container is gone when its process has ended by %s',
    async (signal) => {
      const text = JSON.stringify({
        actions: [
          ...(JSON.parse(actions()) as unknown[]),
          { [String(waits[0])]: waits[1], expect: 'result == 1', retry: { max_s: 300, interval_s: 0.1 } },
        ],
      });
      await ended(text, (child) => child.kill(signal));
      expect(podman.containers()).toEqual([]);
    },
    240_000,
  );

  it('a container is gone when a step behind it fails, and when a module ends the process', async () => {
    writeFileSync(join(folder, 'end.mjs'), 'export const end = () => process.exit(7);\n');
    expect(await ended(actions(['AT_extract_and_store', { response: {}, path: 'x', name: 'a' }]))).toEqual([1, null]);
    expect(podman.containers()).toEqual([]);
    await ended(actions(['WR_set_action_span_factory', { factory: './end.mjs#end' }], waits));
    await expect.poll(() => podman.containers(), { timeout: 60_000, interval: 100 }).toEqual([]);
  }, 240_000);

  it('a container is gone soon after its process was killed without a warning', async () => {
    const text = JSON.stringify([['WR_tc_generic', { image, wait_for_log: 'never', start_timeout: 600 }]]);
    await ended(text, (child) => child.kill('SIGKILL'));
    await expect.poll(() => podman.containers(), { timeout: 60_000, interval: 100 }).toEqual([]);
  }, 240_000);
});

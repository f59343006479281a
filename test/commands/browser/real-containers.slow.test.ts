import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { root } from '../../built.ts';
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

  it('a container is gone soon after its process was killed without a warning', async () => {
    const file = join(folder, 'a.json');
    writeFileSync(file, JSON.stringify([['WR_tc_generic', { image, wait_for_log: 'never', start_timeout: 600 }]]));
    const child = spawn(
      process.execPath,
      ['--conditions=source', join(root, 'compiler/cli/bin.ts'), 'run', file, '--allow', 'shell'],
      { cwd: folder, stdio: 'ignore', env: { ...process.env, DOCKER_HOST } },
    );
    try {
      const seen = (): number => (child.exitCode === null ? podman.containers().length : Number.NaN);
      await expect.poll(seen, { timeout: 120_000, interval: 100 }).not.toBe(0);
      expect(podman.containers()).toHaveLength(1);
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
    await expect.poll(() => podman.containers(), { timeout: 60_000, interval: 100 }).toEqual([]);
  }, 240_000);
});

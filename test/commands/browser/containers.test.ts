import { hostname } from 'node:os';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { startContainerEngine, type ContainerEngine } from '../../fixtures/container-engine.ts';
import { failureOf, session, type Session } from '../call.ts';

let engine: ContainerEngine;
const open = (): Promise<Session> =>
  session({ host: nodeHost({ env: { DOCKER_HOST: engine.host } }), settings: { gates: { shell: true } } });
beforeEach(async () => {
  engine = await startContainerEngine();
});
afterEach(() => engine[Symbol.asyncDispose]());

describe('containers', () => {
  it('are ready when they take connections or say so, and are gone with the file', async () => {
    const unit = await open();
    const echo = await unit.call('WR_tc_generic', { image: 'echo:test', ports: { '7': 0 }, environment: { A: '1' } });
    expect(echo).toMatchObject({ image: 'echo:test', host: '127.0.0.1', ports: { '7': expect.any(Number) as number } });
    const redis = (await unit.call('WR_tc_redis', { image: 'redis:test' })) as { readonly connection_url: string };
    expect(redis.connection_url).toMatch(/^redis:\/\/127\.0\.0\.1:\d+$/);
    const postgres = (await unit.call('WR_tc_postgres', {
      image: 'postgres:test',
      user: 'a b',
      password: 'secret/1',
      dbname: 'shop',
    })) as {
      readonly connection_url: string;
    };
    expect(postgres.connection_url).toMatch(/^postgresql:\/\/a%20b:secret%2F1@127\.0\.0\.1:\d+\/shop$/);
    expect(await unit.call('WR_tc_started_count')).toBe(3);
    expect([...engine.boxes.values()].map(({ body }) => body.Env)).toContainEqual(['A=1']);
    await unit.call('WR_tc_stop', { container: echo });
    expect(await unit.call('WR_tc_started_count')).toBe(2);
    await unit.end();
    expect(engine.boxes.size).toBe(0);
  });

  it('are pulled where the image is missing, and told of where it cannot be had', async () => {
    await using unit = await open();
    expect((await failureOf(unit.call('WR_tc_generic', { image: 'none:test' }))).message).toBe(
      'The image "none:test" is not there and could not be pulled: manifest for none:test is unknown',
    );
    engine.pullable.add('none:test');
    expect(await unit.call('WR_tc_generic', { image: 'none:test' })).toMatchObject({ image: 'none:test' });
    engine.pullable.add('hub:5000/none:latest');
    expect(await unit.call('WR_tc_generic', { image: 'hub:5000/none' })).toMatchObject({ image: 'hub:5000/none' });
  });

  it.each([
    ['mute:test', 0.2, /not ready after 0\.2 s: nothing answers at port/],
    ['dies:test', 30, /it has ended/],
  ])('that do not become ready are removed: %s', async (image, start_timeout, words) => {
    await using unit = await open();
    const failure = await failureOf(unit.call('WR_tc_generic', { image, ports: { '7': 0 }, start_timeout }));
    expect(failure.message).toMatch(words);
    expect(engine.boxes.size).toBe(0);
    expect(await unit.call('WR_tc_started_count')).toBe(0);
  });

  it('that cannot be removed are named, and do not keep the others', async () => {
    const unit = await open();
    const [first] = [
      await unit.call('WR_tc_generic', { image: 'echo:test' }),
      await unit.call('WR_tc_redis', { image: 'redis:test' }),
    ];
    engine.stuck.add((first as { readonly id: string }).id);
    expect((await failureOf(unit.call('WR_tc_cleanup_all'))).message).toMatch(
      /^1 container could not be removed: echo:test/,
    );
    expect(engine.boxes.size).toBe(1);
    expect(await unit.call('WR_tc_started_count')).toBe(0);
    await unit.end();
  });

  it('of a process that was killed are removed by the next one, those of a living one are not', async () => {
    for (const [id, owner, machine] of [
      ['dead', '999999999', hostname()],
      ['alive', String(process.ppid), hostname()],
      ['elsewhere', '999999999', 'another-job'],
    ] as const)
      engine.boxes.set(id, {
        id,
        body: { Image: 'x', Labels: { 'svc.owner': owner, 'svc.machine': machine }, Env: [] },
        servers: [],
        ports: {},
        asked: 0,
      });
    await using unit = await open();
    await unit.call('WR_tc_redis', { image: 'redis:test' });
    expect([...engine.boxes.keys()].filter((id) => id.length < 10)).toEqual(['alive', 'elsewhere']);
  });

  it('need an engine, and the gate for programs', async () => {
    await using closed = await session({ settings: { gates: { shell: false } } });
    expect((await failureOf(closed.call('WR_tc_redis'))).facts.code).toBe('SVC80024');
    const host = nodeHost({ env: { DOCKER_HOST: 'unix:///nowhere/engine.sock' } });
    await using unit = await session({ host, settings: { gates: { shell: true } } });
    expect((await failureOf(unit.call('WR_tc_redis'))).message).toMatch(
      /^There is no container engine: "\/nowhere\/engine\.sock"/,
    );
  });
});

import { command } from '#stdlib/command.ts';

const POSTGRES = '5432';
const REDIS = '6379';

export const WR_tc_generic = command('WR_tc_generic', async (params, ctx) => {
  const { image, wait_for_log: text, start_timeout: seconds } = params;
  const started = await ctx.containers.start(
    {
      image,
      ports: params.ports ?? {},
      environment: params.environment ?? {},
      ...(text === null ? {} : { log: { text, times: 1 } }),
      timeout_ms: seconds * 1000,
    },
    ctx.signal,
  );
  const [port] = Object.values(started.ports);
  return { ...started, connection_url: port === undefined ? '' : `tcp://${started.host}:${port}` };
});

export const WR_tc_postgres = command('WR_tc_postgres', async (params, ctx) => {
  const { image, username, password, dbname, start_timeout: seconds } = params;
  const started = await ctx.containers.start(
    {
      image,
      ports: { [POSTGRES]: 0 },
      environment: { POSTGRES_USER: username, POSTGRES_PASSWORD: password, POSTGRES_DB: dbname },
      // The image starts the server once to set it up, ends it, and starts it for good.
      log: { text: 'database system is ready to accept connections', times: 2 },
      timeout_ms: seconds * 1000,
    },
    ctx.signal,
  );
  const [user, key, name] = [username, password, dbname].map(encodeURIComponent);
  return {
    ...started,
    connection_url: `postgresql://${user}:${key}@${started.host}:${started.ports[POSTGRES]}/${name}`,
  };
});

export const WR_tc_redis = command('WR_tc_redis', async ({ image, start_timeout: seconds }, ctx) => {
  const started = await ctx.containers.start(
    {
      image,
      ports: { [REDIS]: 0 },
      environment: {},
      log: { text: 'Ready to accept connections', times: 1 },
      timeout_ms: seconds * 1000,
    },
    ctx.signal,
  );
  return { ...started, connection_url: `redis://${started.host}:${started.ports[REDIS]}` };
});

export const WR_tc_started_count = command('WR_tc_started_count', (_, ctx) => ctx.containers.count);

export const WR_tc_stop = command('WR_tc_stop', async ({ container }, ctx) => {
  await ctx.containers.stop(typeof container === 'string' ? container : container.id);
  return null;
});

export const WR_tc_cleanup_all = command('WR_tc_cleanup_all', async (_, ctx) => {
  await ctx.containers.stopAll();
  return null;
});

import { windowValuesMissing } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

export const WR_maximize_window = command('WR_maximize_window', async (_, ctx) => {
  await ctx.webdriver.current.run(ctx, (driver) => driver.manage().window().maximize());
});

export const WR_minimize_window = command('WR_minimize_window', async (_, ctx) => {
  await ctx.webdriver.current.run(ctx, (driver) => driver.manage().window().minimize());
});

export const WR_fullscreen_window = command('WR_fullscreen_window', async (_, ctx) => {
  await ctx.webdriver.current.run(ctx, (driver) => driver.manage().window().fullscreen());
});

export const WR_get_window_position = command('WR_get_window_position', async (_, ctx) => {
  const { x, y } = await ctx.webdriver.current.run(ctx, (driver) => driver.manage().window().getRect());
  return { x, y };
});

export const WR_get_window_rect = command('WR_get_window_rect', (_, ctx) =>
  ctx.webdriver.current.run(ctx, (driver) => driver.manage().window().getRect()),
);

export const WR_set_window_position = command('WR_set_window_position', ({ x, y }, ctx) =>
  ctx.webdriver.current.run(ctx, (driver) => driver.manage().window().setRect({ x, y })),
);

export const WR_set_window_rect = command('WR_set_window_rect', (params, ctx) => {
  const given = Object.fromEntries(
    (['x', 'y', 'width', 'height'] as const).flatMap((name) => (params[name] == null ? [] : [[name, params[name]]])),
  );
  if (Object.keys(given).length === 0) throw windowValuesMissing();
  return ctx.webdriver.current.run(ctx, (driver) => driver.manage().window().setRect(given));
});

export const WR_set_window_size = command('WR_set_window_size', async ({ width, height }, ctx) => {
  await ctx.webdriver.current.run(ctx, (driver) => driver.manage().window().setRect({ width, height }));
});

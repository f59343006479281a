import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { command } from '#stdlib/command.ts';

export const WR_pw_route_clear = command('WR_pw_route_clear', (_, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.unrouteAll()),
);

export const WR_pw_route_mock = command('WR_pw_route_mock', ({ url_pattern, response }, ctx) =>
  answer(ctx, url_pattern, {
    status: response.status ?? 200,
    body: response.body ?? '',
    headers: response.headers ?? {},
    contentType: response.content_type,
  }),
);

export const WR_pw_route_mock_json = command('WR_pw_route_mock_json', ({ url_pattern, json_data, status }, ctx) =>
  answer(ctx, url_pattern, {
    status,
    body: JSON.stringify(json_data),
    headers: {},
    contentType: 'application/json',
  }),
);

export const WR_pw_route_unmock = command('WR_pw_route_unmock', ({ url_pattern }, ctx) =>
  ctx.playwright.session.run(ctx, (page) => page.unroute(url_pattern)),
);

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
}

function answer(
  ctx: Base & Pick<Ports, 'playwright'>,
  pattern: string,
  { contentType, headers, ...rest }: Answer,
): Promise<void> {
  const whole = { ...rest, headers: { ...headers }, ...(contentType === undefined ? {} : { contentType }) };
  return ctx.playwright.session.run(ctx, async (page) => {
    // A request whose page is left meanwhile needs no answer any more.
    await page.route(pattern, (route) => route.fulfill(whole).catch(() => undefined));
  });
}

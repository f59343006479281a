import { command } from '#stdlib/command.ts';

export const WR_pw_route_clear = command('WR_pw_route_clear', (_, ctx) => ctx.playwright.session.unmock(ctx));

export const WR_pw_route_mock = command('WR_pw_route_mock', ({ url_pattern, response }, ctx) =>
  ctx.playwright.session.mock(ctx, url_pattern, {
    status: response.status ?? 200,
    body: response.body ?? '',
    headers: response.headers ?? {},
    contentType: response.content_type,
  }),
);

export const WR_pw_route_mock_json = command('WR_pw_route_mock_json', ({ url_pattern, json_data, status }, ctx) =>
  ctx.playwright.session.mock(ctx, url_pattern, {
    status,
    body: JSON.stringify(json_data),
    headers: {},
    contentType: 'application/json',
  }),
);

export const WR_pw_route_unmock = command('WR_pw_route_unmock', ({ url_pattern }, ctx) =>
  ctx.playwright.session.unmock(ctx, url_pattern),
);

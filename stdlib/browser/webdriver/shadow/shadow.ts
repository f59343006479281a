import { command } from '#stdlib/command.ts';

const search = `
let place = document;
for (const selector of arguments[0]) {
  const host = place.querySelector(selector);
  if (!host || !host.shadowRoot) return null;
  place = host.shadowRoot;
}
return place.querySelector(arguments[1]);`;

export const WR_shadow_query = command('WR_shadow_query', ({ host_chain, inner_selector }, ctx) =>
  ctx.webdriver.current.findByScript(ctx, {
    body: search,
    args: [host_chain, inner_selector],
    locator: { strategy: 'css', value: [...host_chain, inner_selector].join(' >> ') },
  }),
);

import { command } from '#stdlib/command.ts';

/** The frame that is current now, as records show it. */
type FrameRef = { readonly $handle: 'frame' };

class FrameHandle implements FrameRef {
  readonly $handle = 'frame';
}

export const WR_pw_frame_locator_chain = command(
  'WR_pw_frame_locator_chain',
  async ({ selectors }, ctx): Promise<FrameRef> => {
    await ctx.playwright.session.enterFrames(ctx, selectors);
    return new FrameHandle();
  },
);

export const WR_pw_shadow_query = command('WR_pw_shadow_query', ({ host_chain, inner_selector }, ctx) =>
  ctx.playwright.session.find(ctx, joined(host_chain, inner_selector)),
);

export const WR_pw_shadow_selector = command('WR_pw_shadow_selector', ({ host_chain, inner_selector }) =>
  joined(host_chain, inner_selector),
);

/** CSS of this engine looks into open shadow roots by itself. */
function joined(hosts: readonly string[], inner: string): string {
  return [...hosts, inner].join(' >> ');
}

import { xpathText } from '#grammar/selector/xpath-text.ts';
import { noDialogOpen, switchWithoutTarget } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { locatorFor } from '../../engines/test-objects/locator.ts';
import type { Locator } from '../../engines/test-objects/locator.ts';

export const WR_switch = command('WR_switch', async ({ switch_type, switch_target_name }, ctx) => {
  const session = ctx.webdriver.current;
  const kind = switch_type.toLowerCase();
  switch (kind) {
    case 'active_element': {
      const element = await session.run(ctx, (driver) => Promise.resolve(driver.switchTo().activeElement()));
      return session.setElement(element, { strategy: 'css', value: ':focus' });
    }
    case 'default_content':
      return session.leaveFrames(ctx);
    case 'parent_frame':
      return session.leaveFrame(ctx);
    case 'frame':
      return session.enterFrames(ctx, [frameNamed(target(kind, switch_target_name))], 'here');
    case 'window':
      return session.chooseWindow(ctx, target(kind, switch_target_name));
    default:
      return session.run(ctx, async (driver) => {
        try {
          return await driver.switchTo().alert().getText();
        } catch (error) {
          if (error instanceof Error && error.name === 'NoSuchAlertError') throw noDialogOpen({ cause: error });
          throw error;
        }
      });
  }
});

export const WR_iframe_back_to_default = command('WR_iframe_back_to_default', (_, ctx) =>
  ctx.webdriver.current.leaveFrames(ctx),
);

export const WR_iframe_switch_chain = command('WR_iframe_switch_chain', ({ selectors }, ctx) =>
  ctx.webdriver.current.enterFrames(ctx, selectors.map(locatorFor)),
);

function target(kind: string, name: string | null | undefined): string {
  if (name == null || name === '') throw switchWithoutTarget({ kind });
  return name;
}

/** Locator of a frame by its id, else by its name. */
function frameNamed(name: string): Locator {
  const text = xpathText(name);
  const frames = '*[self::iframe or self::frame]';
  return {
    strategy: 'xpath',
    value: `(//${frames}[@id=${text}] | //${frames}[@name=${text}][not(//${frames}[@id=${text}])])`,
  };
}

import { logKindUnknown } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

export const WR_get_log = command('WR_get_log', ({ log_type }, ctx) =>
  ctx.webdriver.current.run(ctx, async (driver) => {
    const logs = driver.manage().logs();
    try {
      const entries = await logs.get(log_type);
      return entries.map(({ level, message, timestamp }) => ({ level: level.name, message, timestamp }));
    } catch (error) {
      const kinds = await logs.getAvailableLogTypes().catch(() => undefined);
      if (kinds?.includes(log_type)) throw error;
      throw logKindUnknown({ kind: log_type, kinds: kinds?.toSorted().join(', ') || 'none', cause: error });
    }
  }),
);

import { command } from '#stdlib/command.ts';

export const FA_plugin_list = command('FA_plugin_list', async (_params, { modules }) =>
  (await modules.plugins()).map(({ name, version, target, commands, effects, error }) => ({
    name,
    version,
    target,
    commands: [...commands],
    effects: Object.fromEntries(Object.entries(effects).map(([command_, does]) => [command_, [...does]])),
    error,
  })),
);

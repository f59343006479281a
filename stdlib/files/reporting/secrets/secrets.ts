import { Failure } from '#schemas/types/failure.ts';
import { command } from '#stdlib/command.ts';

export const FA_secret_check = command('FA_secret_check', async ({ references, file_root }, ctx) => {
  const chain = ctx.secretProviders.chain(file_root);
  const resolved: string[] = [];
  const missing: string[] = [];
  for (const reference of references) {
    const [, scheme = '', name = ''] = /^\$\{(env|file):([^}]+)\}$/.exec(reference) ?? [];
    try {
      await chain.resolveOne(scheme, name.trim());
      resolved.push(reference);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      missing.push(reference);
    }
  }
  return { resolved, missing };
});

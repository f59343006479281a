import type { Host } from '#schemas/types/host.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';

import type { Settings } from './ports.ts';

/**
 * Whether the value of an environment key is secret by its name, or by what the configuration or a file (`more`) says.
 */
export function isSecretOf(
  settings: Pick<Settings, 'public_env' | 'secrets'>,
  key: string,
  more: readonly string[] = [],
): boolean {
  if (settings.public_env?.includes(key)) return false;
  return isSecretKey(key) || more.includes(key) || (settings.secrets?.env?.includes(key) ?? false);
}

/** Values of the environment that a run hides from its beginning. */
export function secretsOf(env: Host['env'], settings: Pick<Settings, 'public_env' | 'secrets'>): readonly string[] {
  return Object.keys(env).flatMap((key) => (isSecretOf(settings, key) ? (env[key] ?? []) : []));
}

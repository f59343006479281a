import type { Compilation } from '#compiler/api.ts';
import type { Configuration } from './configuration/configuration.ts';
import type { Mask } from '#compiler/report/locate.ts';
import { Masker } from '#runtime/kernel/records/masker.ts';
import type { Host } from '#schemas/types/host.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';

/**
 * Mask for secrets in findings: values of the process environment whose keys mark them as secret, values that
 * the configuration or a file lists, and texts that are secrets by their form. Excerpts go to logs that more
 * people read than the files.
 */
export function maskFor(
  projects: readonly { readonly host: Host; readonly configuration: Configuration }[],
  files: readonly Partial<Pick<Compilation['files'][number], 'file'>>[],
): Mask {
  const masker = new Masker();
  for (const { host, configuration } of projects) {
    const { public_env: shown = [], secrets } = configuration.settings;
    const listed = [...(secrets?.env ?? []), ...files.flatMap(({ file }) => file?.meta.secrets ?? [])];
    for (const key of Object.keys(host.env)) if (isSecretKey(key) && !shown.includes(key)) masker.add(host.env[key]);
    for (const key of listed) masker.add(host.env[key]);
  }
  return masker;
}

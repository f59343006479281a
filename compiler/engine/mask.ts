import type { Document } from '#grammar/document/document.ts';
import type { Compilation } from '#compiler/api.ts';
import { catalogue } from '#compiler/catalogue.ts';
import type { Configuration } from './configuration/configuration.ts';
import type { Mask } from '#compiler/report/locate.ts';
import { secretTexts } from '#compiler/secret-texts.ts';
import { Masker } from '#runtime/kernel/records/masker.ts';
import type { Host } from '#schemas/types/host.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';

/** A file as far as it could be read. */
interface MaskedFile extends Partial<Pick<Compilation['files'][number], 'file'>> {
  readonly document?: Document;
  readonly migrated?: Document;
}

/**
 * Mask for secrets in findings: values of the process environment whose keys mark them as secret, values that
 * the configuration or a file lists, literal secrets of the files, and texts that are secrets by their form. Excerpts
 * go to logs that more people read than the files. Files are searched when the first text is masked.
 */
export function maskFor(
  projects: readonly { readonly host: Host; readonly configuration: Configuration }[],
  files: readonly MaskedFile[],
): Mask {
  const masker = new Masker();
  let isFull = false;
  const full = (): Masker => {
    if (isFull) return masker;
    isFull = true;
    for (const { document, migrated = document } of files)
      if (migrated) masker.add(secretTexts(migrated.value, catalogue.find));
    return masker;
  };
  for (const { host, configuration } of projects) {
    const { public_env: shown = [], secrets } = configuration.settings;
    const listed = [...(secrets?.env ?? []), ...files.flatMap(({ file }) => file?.meta.secrets ?? [])];
    for (const key of Object.keys(host.env)) if (isSecretKey(key) && !shown.includes(key)) masker.add(host.env[key]);
    for (const key of listed) masker.add(host.env[key]);
  }
  return { text: (text) => full().text(text), blank: (text) => blank(text, full()) };
}

/** Masks with a `*` for each character that is hidden, so that places in the text stay. */
function blank(text: string, masker: Masker): string {
  let shown = text;
  for (const { start, end } of masker.spans(text))
    shown = shown.slice(0, start) + '*'.repeat(end - start) + shown.slice(end);
  return shown;
}

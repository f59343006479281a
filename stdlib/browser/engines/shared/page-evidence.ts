import type { Evidence } from '#runtime/kernel/ports.ts';

/** The page as it was when a step had failed. */
export function pageEvidence({
  title,
  url,
  bytes,
}: {
  readonly title: string;
  readonly url: string;
  readonly bytes: Uint8Array;
}): readonly Evidence[] {
  return [
    { kind: 'picture', name: 'page', mediaType: 'image/png', bytes },
    { kind: 'text', name: 'page', text: title === '' ? url : `${title}\n${url}` },
  ];
}

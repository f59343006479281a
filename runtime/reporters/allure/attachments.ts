import type { Evidence } from '#schemas/types/run-event.ts';

import { httpText } from '../http-text.ts';
import { outgoing } from '../outgoing.ts';

interface Attached {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  /** Ending of the file's name. */
  readonly ending: string;
  readonly content: string | Uint8Array;
}

/** Endings by which readers know a picture. */
const ENDINGS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

/** Evidence as files of its own; none for a file that stands elsewhere already. */
export function attachmentsOf(evidence: Evidence): readonly Attached[] {
  switch (evidence.kind) {
    case 'http': {
      const { method, url } = evidence.request;
      return [text(`${method} ${url}`, `${httpText(evidence).replaceAll(/^ {4}/gm, '')}\n`)];
    }
    case 'picture': {
      const { name, mediaType: type, bytes: content } = evidence;
      return [{ name, type, ending: ENDINGS[type] ?? 'bin', content }];
    }
    case 'text':
      return [text(evidence.name, evidence.text)];
    case 'file':
      return [];
    default:
      return evidence satisfies never;
  }
}

function text(name: string, content: string): Attached {
  return { name, type: 'text/plain', ending: 'txt', content: outgoing(content, 'people') };
}

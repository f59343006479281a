import { isSecretHeader } from '#schemas/types/secret-key.ts';

import type { Evidence, HttpMessage } from '../ports.ts';
import type { Masker } from './masker.ts';

/** Longest text of one piece of evidence. */
const LIMIT = 64 * 1024;
/** Longest text of a piece that stands in a file of its own. */
const FILE_LIMIT = 512 * 1024;

/** Evidence of a command with secrets hidden. Pictures and files are as they are. */
export function maskedEvidence(evidence: Evidence, masker: Masker): Evidence {
  switch (evidence.kind) {
    case 'http': {
      const { request, response } = evidence;
      return {
        ...evidence,
        request: { ...request, url: masker.text(request.url), ...maskedMessage(request, masker) },
        ...(response && { response: { ...response, ...maskedMessage(response, masker) } }),
      };
    }
    case 'text':
      return {
        ...evidence,
        name: masker.text(evidence.name),
        text: masker.head(evidence.text, evidence.file === undefined ? LIMIT : FILE_LIMIT),
      };
    case 'picture':
    case 'file':
      return { ...evidence, name: masker.text(evidence.name) };
    default:
      return evidence satisfies never;
  }
}

function maskedMessage({ headers, body }: HttpMessage, masker: Masker): HttpMessage {
  const shown = Object.entries(headers).map(
    ([name, value]) => [name, isSecretHeader(name) ? '***' : masker.text(value)] as const,
  );
  return { headers: Object.fromEntries(shown), ...(body !== undefined && { body: masker.head(body, LIMIT) }) };
}

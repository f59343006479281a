import type { ValidationError } from '#schemas/types/validation.ts';

/** Findings of a validator in a sentence: the places with what is allowed there, at most three. */
export function unfit(findings: readonly ValidationError[]): string {
  const sentences = findings.slice(0, 3).map(sentence);
  const more = findings.length - sentences.length;
  return sentences.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

function sentence({ instancePath, keyword, params }: ValidationError): string {
  const place = instancePath === '' ? 'the value' : `"${instancePath.slice(1).replaceAll('/', '.')}"`;
  switch (keyword) {
    case 'type':
      return `${place} must be ${list(params['type'])}`;
    case 'enum':
      return `${place} must be one of ${list(params['allowedValues'])}`;
    case 'const':
      return `${place} must be ${JSON.stringify(params['allowedValue'])}`;
    case 'required':
      return `${place} lacks "${String(params['missingProperty'])}"`;
    case 'additionalProperties':
      return `${place} must not have "${String(params['additionalProperty'])}"`;
    case 'pattern':
      return `${place} must match /${String(params['pattern'])}/`;
    case 'format':
      return `${place} must be of the form ${String(params['format'])}`;
    default:
      return params['limit'] === undefined
        ? `${place} does not fit (${keyword})`
        : `${place} is outside ${keyword} ${JSON.stringify(params['limit'])}`;
  }
}

function list(value: unknown): string {
  return Array.isArray(value)
    ? value.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(', ')
    : String(value);
}

import { Failure } from '#schemas/types/failure.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { inText } from './convert.ts';
import { nameOf, valueOf } from './fill.ts';
import { Filling, Unknown, type Surroundings } from './surroundings.ts';

/** Characters of a value in a name. */
const MOST = 100;

/** The name of a step with its references filled: secrets are hidden, and what is not known stays as it is written. */
export function titleText(pieces: readonly (string | Ref)[], at: Surroundings): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : pieceText(piece, at))).join('');
}

function pieceText(ref: Ref, at: Surroundings): string {
  // Nothing is read or made for a name.
  if (ref.ns === 'file' || (ref.ns === 'run' && ref.name === 'tmp')) return nameOf(ref);
  const filling = new Filling();
  try {
    const value = valueOf(ref, at, filling);
    if (filling.waiting || value instanceof Unknown) return nameOf(ref);
    const text = filling.secrets?.get(value) ?? inText(value);
    return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
  } catch (error) {
    if (error instanceof Failure) return nameOf(ref);
    throw error;
  }
}

import { CONTROL_FORMS, type ControlForm } from '../1-read/control-forms.ts';

import { signatureOf, type Signature } from './signature.ts';

/**
 * Control forms bind their keys as a command binds parameters; `once`: defaults of retries are for the steps inside.
 */
function controlSignature(form: ControlForm): Signature {
  const { word, params, condition, names = [] } = form;
  const signature = signatureOf({ name: word, params, implemented: true, effects: [], needs: [], repeat: 'once' });
  const opaque = new Set([...signature.opaque, ...names, ...(condition === undefined ? [] : [condition])]);
  const isPlain = signature.isPlain && word !== 'use';
  return {
    ...signature,
    isPlain,
    control: form,
    opaque,
    untouched: new Set([...(signature.untouched ?? []), ...opaque]),
  };
}

/** The signatures of all control forms, by word. */
export const controlSignatures: ReadonlyMap<string, Signature> = new Map(
  Object.values(CONTROL_FORMS).map((form) => [form.word, controlSignature(form)]),
);

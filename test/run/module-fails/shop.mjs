let tries = 0;
export const order = () => 'ordered';
export const rate = 0.2;
export function fails(how) {
  if (how === 'quietly') return Promise.reject('sold out');
  throw new TypeError(`sold out, ${how.how}`);
}
export const late = (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late')));
export const flaky = (_, { step }) => {
  tries += 1;
  if (step.attempt < 3) throw new Error(`attempt ${step.attempt}`);
  return tries;
};

import type { Provider } from '#runtime/kernel/ports.ts';

export const provider: Provider<'buildLog'> = {
  open: ({ say }) => ({ write: (stream, lines) => say(stream, lines) }),
};

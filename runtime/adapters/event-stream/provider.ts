import { createParser } from 'eventsource-parser';

import type { Provider } from '#runtime/kernel/ports.ts';

export const provider: Provider<'eventStream'> = {
  open: () => ({
    reader: (on) => {
      const parser = createParser({
        onEvent: ({ data, event, id }) =>
          on.event({ data, ...(event === undefined ? {} : { event }), ...(id === undefined ? {} : { id }) }),
        onId: (id) => on.position(id),
        onRetry: (ms) => on.retry(ms),
      });
      return { feed: (text) => parser.feed(text) };
    },
  }),
};

import { serve } from './open.ts';

/** Serves over HTTP and TCP in a process of its own; tells its parent where, and its memory when it is asked. */
const [http, tcp] = [await serve('http'), await serve('tcp')];
process.on('message', (asked) => {
  if (asked === 'memory') process.send?.({ memory: process.memoryUsage.rss() });
  else void Promise.all([http[Symbol.asyncDispose](), tcp[Symbol.asyncDispose]()]).then(() => process.exit(0));
});
process.send?.({ http: http.server.port, tcp: tcp.server.port, roots: [http.root, tcp.root] });

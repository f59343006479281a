import type { LookupFunction, Socket } from 'node:net';

/** The part of the port in types of Node: what users import of us has to be readable without those. */
declare module '#runtime/adapters/outbound/port.ts' {
  interface OutboundPort {
    /**
     * A socket for libraries that connect by themselves: where that is strict, it connects only to what may be asked.
     */
    socket(): Socket;
    /**
     * Looks names up as connections do, and gives only what may be asked. Hosts that are addresses do not come here.
     */
    readonly lookup: LookupFunction;
  }
}

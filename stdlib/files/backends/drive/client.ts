import type { Ports, PortContext } from '#runtime/kernel/ports.ts';
import type { Host } from '#schemas/types/host.ts';

/** Parts of the host that signing in needs. */
export interface TokenTools extends Pick<PortContext, 'mask' | 'notice'> {
  readonly host: Host;
  readonly http: Ports['http'];
  readonly signal: AbortSignal;
}

/** The program that asks for access, as its credentials file says. */
export interface Client {
  readonly id: string;
  readonly secret: string;
  readonly authUri: string;
  readonly tokenUri: string;
}

import { startNotifyServices } from '../../fixtures/notify-services.ts';
import type { MakeWorld } from './world.ts';

/** A service that takes messages at `${ENV.HOOK_URL}`, with a sink "hook" that sends there. */
export const world: MakeWorld = async () => {
  const services = await startNotifyServices();
  const url = `${services.url}/hook`;
  return {
    env: { HOOK_URL: url },
    settings: { gates: { private: true } },
    before: [['FA_notify_register', { type: 'webhook', name: 'hook', options: { url } }]],
    [Symbol.asyncDispose]: () => services[Symbol.asyncDispose](),
  };
};

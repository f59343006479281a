import { CASES_KEY, startCaseServices, TRACKER_TOKEN } from '../../fixtures/case-services.ts';
import type { MakeWorld } from './world.ts';

/** An issue tracker at `${ENV.TRACKER_URL}` and a case manager at `${ENV.CASES_URL}`, with the keys that they take. */
export const world: MakeWorld = async () => {
  const services = await startCaseServices();
  return {
    env: { TRACKER_URL: services.url, CASES_URL: services.url, TRACKER_TOKEN, CASES_KEY },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => services[Symbol.asyncDispose](),
  };
};

import { startContainerEngine } from '../../fixtures/container-engine.ts';
import type { MakeWorld } from './world.ts';

/** A stand-in for a container engine that DOCKER_HOST names; each example has an engine of its own. */
export const world: MakeWorld = async () => {
  const engine = await startContainerEngine();
  return {
    env: { DOCKER_HOST: engine.host },
    settings: { gates: { shell: true } },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
};

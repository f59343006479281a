import { startContainerEngine } from '../../fixtures/container-engine.ts';
import type { MakeWorld } from './world.ts';

/** A container engine, and a container whose id is in the variable `started`. */
export const world: MakeWorld = async () => {
  const engine = await startContainerEngine();
  return {
    env: { DOCKER_HOST: engine.host },
    settings: { gates: { shell: true } },
    before: [{ WR_tc_generic: { image: 'echo:test' }, save_as: { name: 'started', path: 'id' } }],
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
};

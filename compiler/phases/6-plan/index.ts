/** Nodes, units and needs of a checked file; a sound file only. */
export { unitIds, unitsOf as plan, type PlannedUnit } from './unit.ts';
/** The plan of several units in its final form: canonical JSON and its hash. */
export { seal, type SealedPlan } from './seal.ts';

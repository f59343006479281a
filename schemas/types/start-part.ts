/** A parameter by which the start of a browser is told what to start, or how. */
export type StartPart = 'switches' | 'experimental' | 'capabilities' | 'hub' | 'launch' | 'profile' | 'extensions';

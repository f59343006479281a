import { command } from '#stdlib/command.ts';

import { annotationLine } from './annotation-line.ts';

export const WR_ci_format_error = command('WR_ci_format_error', ({ message, ...place }) =>
  annotationLine(message, place),
);

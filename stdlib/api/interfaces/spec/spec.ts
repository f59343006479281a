import { Shape } from '#grammar/openapi/infer-schema.ts';
import type { Json } from '#schemas/types/json.ts';
import { commandRaising } from '#stdlib/command.ts';

const command = commandRaising('APITesterException', ['APIAssertException', 'APIJsonReportException']);

export const AT_infer_schema = command('AT_infer_schema', ({ sample }) => Shape.of(sample as Json).schema());

import { format } from '../checks.ts';

/** `npm run format`: lays out every source as the formatter does; `check` and `ready` refuse another layout. */
process.exitCode = await format([]);

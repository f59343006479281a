import { writeFileSync } from 'node:fs';

const report = process.env.SVC_BENCH_MEMORY;
if (report) process.on('exit', () => writeFileSync(report, String(process.resourceUsage().maxRSS)));

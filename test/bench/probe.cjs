const { writeFileSync } = require('node:fs');

/** CommonJS, preloaded by `-r`: an ES module would make every process, the empty one too, set up the module loader. */
const report = process.env.SVC_BENCH_REPORT;
if (report) process.on('exit', () => writeFileSync(report, JSON.stringify(process.resourceUsage())));

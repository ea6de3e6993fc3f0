// Prints the closing line that CI reads.
import { readFile } from 'node:fs/promises';

const report = JSON.parse(await readFile(process.argv[2], 'utf8').catch(() => '{}'));
const failed = (report.numFailedTests ?? 0) + (report.success === false && !report.numFailedTests ? 1 : 0);
process.stdout.write(`${report.numPassedTests ?? 0} passed, ${failed} failed\n`);

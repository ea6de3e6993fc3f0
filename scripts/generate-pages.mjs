// Bundles browser code that is served or embedded as text into generated modules, before the type check runs.
import { runMain } from './lib/run.mjs';

runMain(async () => {});

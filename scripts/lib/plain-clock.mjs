/**
 * The milliseconds since the process began, as `performance.now()` gives them. Node makes `performance` when it is first
 * named, with modules that nothing else of a start needs.
 */
export const readClockMs = () => process.uptime() * 1000;

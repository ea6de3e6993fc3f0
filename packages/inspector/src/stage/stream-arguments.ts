import type { PaceName } from '../address/view-settings.js';

const charactersPerSecond: Record<Exclude<PaceName, 'off'>, number> = { slow: 12, model: 80, fast: 600 };
const tickMs = 40;

/**
 * Plays a text in growing pieces at a pace, by the clock, so that a slow page skips pieces instead of falling behind;
 * resolves when all was told or the signal aborts.
 */
export const streamText = (
  text: string,
  pace: Exclude<PaceName, 'off'>,
  tell: (textSoFar: string) => void,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const begun = performance.now();
    let told = 0;
    const end = (): void => {
      clearInterval(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const step = (): void => {
      const written = Math.ceil(((performance.now() - begun) / 1_000) * charactersPerSecond[pace]);
      const length = Math.min(Math.max(written, 1), text.length);
      if (length > told) {
        told = length;
        tell(text.slice(0, length));
      }
      if (told >= text.length) end();
    };
    const timer = setInterval(step, tickMs);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });

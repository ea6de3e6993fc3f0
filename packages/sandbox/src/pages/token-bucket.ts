/** A busy app (a pointer drag at 120 Hz, a burst of logs at start) stays far below; a flood is cut at the door. */
const BURST = 1000;
const PER_SECOND = 250;
const LENGTH_PER_TOKEN = 32 * 1024;

/** What a message costs beyond its first token, so that few huge messages weigh like many small ones. */
export const toCost = (length: number): number => Math.floor(length / LENGTH_PER_TOKEN);

/** A bucket that holds 1000 tokens and refills 250 a second. */
export const createTokenBucket = (now: () => number = () => performance.now()) => {
  let tokens = BURST;
  let filledAt = now();
  return {
    take: (count: number): boolean => {
      const time = now();
      tokens = Math.min(BURST, tokens + ((time - filledAt) / 1000) * PER_SECOND);
      filledAt = time;
      if (tokens < count) return false;
      tokens -= count;
      return true;
    },
  };
};

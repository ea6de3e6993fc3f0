/** How much each part does: in full for figures, or just enough to see that the part still works. */
export const scales = {
  full: {
    rounds: 3,
    paintRounds: 7,
    tripRounds: 5,
    trips: 300,
    aheadMs: 1_500,
    apps: 30,
    talkMs: 5_000,
    messages: 100,
    entries: 20_000,
  },
  smoke: {
    rounds: 1,
    paintRounds: 1,
    tripRounds: 1,
    trips: 10,
    aheadMs: 200,
    apps: 3,
    talkMs: 200,
    messages: 12,
    entries: 1_000,
  },
};

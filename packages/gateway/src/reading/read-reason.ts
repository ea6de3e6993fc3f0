const MAX_REASONS = 4;

/** Reads an error's message and those of its causes: the useful part ("ECONNREFUSED") is often in the cause of the cause. */
export const readReason = (error: unknown, readCause = (one: Error): unknown => one.cause): string => {
  const reasons: string[] = [];
  for (
    let current = error;
    current instanceof Error && reasons.length < MAX_REASONS;
    current = readCause(current)
  ) {
    const reason = current.message || ('code' in current ? String(current.code) : current.name);
    if (!reasons.some((known) => known.includes(reason))) reasons.push(reason);
  }
  return reasons.join(': ');
};

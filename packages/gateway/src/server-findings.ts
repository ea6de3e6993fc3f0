/** Something a server does wrong and goes on with: what was seen, and what to do about it. */
export interface ServerFinding {
  code: string;
  message: string;
  fix: string;
}

/** What was found of one server since it was connected. */
export interface ServerFindings {
  all(): ServerFinding[];
  /** Keeps what is new and returns it; what was found before, or is too much, is not. */
  add(found: readonly ServerFinding[]): ServerFinding[];
  clear(): void;
}

/** Nobody reads more than these. */
const MAX_FINDINGS = 20;

/** Creates the findings of one server. */
export const createServerFindings = (): ServerFindings => {
  const known = new Map<string, ServerFinding>();
  return {
    all: () => [...known.values()],
    add: (found) =>
      found.filter((finding) => {
        const key = JSON.stringify([finding.code, finding.message]);
        if (known.has(key) || known.size >= MAX_FINDINGS) return false;
        known.set(key, finding);
        return true;
      }),
    clear: () => known.clear(),
  };
};

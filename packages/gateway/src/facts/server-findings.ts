/** A fault of a server that does not end its connection: what was seen, and how to fix it. */
export interface ServerFinding {
  code: string;
  message: string;
  fix: string;
}

/** The findings about one server since it connected. */
export interface ServerFindings {
  all(): ServerFinding[];
  /** Keeps the new ones and returns them; those that are known, or over the limit, are left out. */
  add(found: readonly ServerFinding[]): ServerFinding[];
  clear(): void;
}

/** Nobody reads more than this many. */
const MAX_FINDINGS = 20;

/** Creates an empty list of findings for one server. */
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

import type { MetadataFinding } from '@casement/protocol';
import type { SessionStore } from './session-store.js';

/** The code of the finding about an external page that loaded and sends no message; the chrome looks for it. */
export type QuietPageCode = 'page-silent';

const quietPageCode: QuietPageCode = 'page-silent';

/** Waits for the first message of an external page. */
export interface QuietPageWatch {
  /** The page has loaded; whether it said something before. */
  hear(spoke: boolean): void;
  stop(): void;
}

/** Pages speak when their scripts run, so about when they have loaded. */
const quietMs = 3_000;

/**
 * Creates the watch that waits for the first message of an app that is an external page: browsers do not report that a
 * site forbids framing.
 */
export const createQuietPageWatch = (
  store: Pick<SessionStore, 'getSnapshot' | 'addFinding' | 'update'>,
): QuietPageWatch => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isQuiet = true;
  const stop = (): void => clearTimeout(timer);
  const find = (): void => {
    const { status, resource } = store.getSnapshot();
    const url = status === 'ready' ? resource?.url : undefined;
    if (url !== undefined && isQuiet) store.addFinding(toQuietPage(url));
  };
  return {
    stop,
    hear(spoke) {
      stop();
      isQuiet = !spoke;
      if (!spoke) timer = setTimeout(find, quietMs);
      const { findings } = store.getSnapshot();
      const others = findings.filter(({ code }) => code !== quietPageCode);
      if (spoke && others.length < findings.length) store.update({ findings: others });
    },
  };
};

/** An external page was loaded and has said nothing. */
const toQuietPage = (url: string): MetadataFinding => ({
  code: quietPageCode,
  message: `The page ${new URL(url).origin} was loaded and has said nothing. If its place is blank, the site may forbid framing.`,
  fix: 'Have the site allow the pages around it in frame-ancestors (without X-Frame-Options) and post ui-lifecycle-iframe-ready.',
  path: url,
});

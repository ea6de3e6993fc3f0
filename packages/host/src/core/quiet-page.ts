import type { MetadataFinding } from '@casement/protocol';
import type { SessionStore } from './session-store.js';

/** Pages speak when their scripts run, so about when they have loaded. */
const quietMs = 3_000;

/** The code of the finding, by which the chrome knows it. */
export const QUIET_PAGE = 'page-silent';

const toQuietPage = (url: string): MetadataFinding => ({
  code: QUIET_PAGE,
  message: `The page ${new URL(url).origin} was loaded and has said nothing. If its place is blank, the site may forbid framing.`,
  fix: 'Have the site allow the pages around it in frame-ancestors (without X-Frame-Options) and post ui-lifecycle-iframe-ready.',
  path: url,
});

/** Waits for the first word of an app that is a page elsewhere: browsers do not tell when a site forbids framing. */
export const createQuietPageWatch = (store: SessionStore): { hear(spoke: boolean): void; stop(): void } => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const find = (): void => {
    const { status, resource } = store.getSnapshot();
    if (status === 'ready' && resource?.url !== undefined) store.find(toQuietPage(resource.url));
  };
  return {
    stop,
    hear(spoke) {
      stop();
      if (!spoke) timer = setTimeout(find, quietMs);
      const { findings } = store.getSnapshot();
      const others = findings.filter(({ code }) => code !== QUIET_PAGE);
      if (spoke && others.length < findings.length) store.update({ findings: others });
    },
  };
};

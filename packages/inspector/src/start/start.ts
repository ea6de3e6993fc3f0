/*
 * The only script of the document itself: it decides under which name the page runs, and asks for access, before the
 * application is fetched. Loading the application first, to learn that it has to move, would load it twice.
 */
import type { openPage as OpenPage } from '../main.js';
import { readCarriedAccess, readTabKey } from '../address/page-address.js';
import { askAccess } from './ask-access.js';
import { movePage } from './page-name.js';

/** The address of the application's script, then of what it imports at once; the build puts them here. */
declare const applicationUrls: readonly string[];

/** Has the browser read what it keeps for the page while the page waits anyway: who asks first stands still for it. */
const openStorage = (): void => {
  try {
    void localStorage.length;
  } catch {
    // Storage that is closed costs nothing later either.
  }
};

const open = async (): Promise<void> => {
  const { code, token } = readCarriedAccess(location.hash) ?? {};
  const known = token === undefined ? (code ?? readTabKey()) : undefined;
  const asked = known === undefined ? undefined : askAccess(known);
  // The page itself says what went wrong, once it is there.
  asked?.catch(() => undefined);
  // Asked for together, not one after the other; the build names the script first that exports this.
  const scripts = applicationUrls.map((url) => import(url) as Promise<{ openPage: typeof OpenPage }>);
  openStorage();
  const [application] = await Promise.all(scripts);
  application?.openPage(asked);
};

void movePage().then((isMoving) => {
  if (!isMoving) void open();
});

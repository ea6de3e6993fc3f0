/*
 * The only script of the document itself: it decides under which name the page runs, and asks for access, before the
 * application is fetched. Loading the application first, to learn that it has to move, would load it twice.
 */
import type { openPage as OpenPage } from '../main.js';
import { readCarriedAccess, readTabKey } from '../address/page-address.js';
import { askAccess } from './ask-access.js';
import { movePage } from './page-name.js';

/** The address of the application's script, which the build puts here. */
declare const applicationUrl: string;

const open = async (): Promise<void> => {
  const { code, token } = readCarriedAccess(location.hash) ?? {};
  const known = token === undefined ? (code ?? readTabKey()) : undefined;
  const asked = known === undefined ? undefined : askAccess(known);
  // The page itself says what went wrong, once it is there.
  asked?.catch(() => undefined);
  // The build names the script that exports this.
  const { openPage } = (await import(applicationUrl)) as { openPage: typeof OpenPage };
  openPage(asked);
};

void movePage().then((isMoving) => {
  if (!isMoving) void open();
});

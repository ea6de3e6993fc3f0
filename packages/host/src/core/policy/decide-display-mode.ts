import type { DisplayMode } from '@casement/protocol';
import type { Decision } from './decision.js';
import { allow, refuse } from './decision.js';

/** The mode that may be entered now, given what host and app declared (HOST-048, HOST-050, HOST-051). */
export const decideDisplayMode = (
  mode: DisplayMode,
  offered: readonly DisplayMode[],
  declared: readonly DisplayMode[] | undefined,
): Decision => {
  if (!offered.includes(mode)) {
    return refuse(
      'display-mode-refused',
      `This host does not offer ${mode}.`,
      `Offered: ${offered.join(', ')}.`,
    );
  }
  if (declared && !declared.includes(mode)) {
    return refuse(
      'display-mode-refused',
      `The app did not declare ${mode}.`,
      'List the mode in appCapabilities.availableDisplayModes of ui/initialize.',
    );
  }
  return allow('Host and app both know the mode.');
};

const maxBytes = 200;
const fallback = 'download';

// Names Windows takes for devices, with any ending.
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

// Files that do something, or lead somewhere, when they are opened; saved as text they only can be read.
const launcher =
  /\.(?:desktop|directory|lnk|url|webloc|website|scf|pif|scr|hta|inf|reg|exe|com|bat|cmd|msi|msp|ps1|psm1|vbs|vbe|wsf|wsh|jse|cpl|jar|jnlp|app|command|workflow|terminal|appref-ms|application|library-ms|search-ms|searchconnector-ms|settingcontent-ms)$/i;

/** The name of an embedded resource as a file: the last segment of its URI (HOST-085), harmless (HOST-086, E12). */
export const toSafeFileName = (uri: string): string => {
  const path = uri.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:/i, '');
  const segment = toLastPart(decode(toLastPart(path)));
  const plain = segment
    .normalize('NFC')
    // Control, format (bidi, zero width), private and unassigned characters: none can be seen.
    .replace(/[\p{C}\u2028\u2029]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ');
  const trimmed = trim(plain);
  const harmless = launcher.test(trimmed) ? `${trimmed}.txt` : trimmed;
  const named = device.test(harmless) ? `_${harmless}` : harmless;
  return shorten(named) || fallback;
};

/** Neither hidden nor with an ending that Windows would cut off. */
const trim = (name: string): string => name.replace(/^[\s.]+/, '').replace(/[\s.]+$/, '');

const toLastPart = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? '';

/** Decoded once, as its author wrote it; what is no encoding stays as it is. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The longest beginning that fits every file system, with the ending kept. */
const shorten = (name: string): string => {
  const encoder = new TextEncoder();
  if (encoder.encode(name).length <= maxBytes) return name;
  const [, stem = name, ending = ''] = /^(.+?)((?:\.[\w-]{1,16}){0,2})$/s.exec(name) ?? [];
  let room = maxBytes - encoder.encode(ending).length;
  let kept = '';
  for (const character of stem) {
    room -= encoder.encode(character).length;
    if (room < 0) break;
    kept += character;
  }
  return `${trim(kept)}${ending}`;
};

import type { AppEvidence, EvidenceLog } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import type { AppFacts } from './doctor-facts.js';
import { settledMs } from './layout-findings.js';
import type { DoctorFinding } from './report.js';

type Direction = 'ltr' | 'rtl';

/** Scripts that are written from right to left. */
const fromTheRight: ReadonlySet<string | undefined> = new Set([
  ...['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'],
]);

/** The direction a language is written in; undefined for what is no language. */
const toDirection = (language: string): Direction | undefined => {
  try {
    return fromTheRight.has(new Intl.Locale(language).maximize().script) ? 'rtl' : 'ltr';
  } catch {
    return undefined;
  }
};

const words: Readonly<Record<Direction, string>> = {
  ltr: 'from left to right',
  rtl: 'from right to left',
};

const shared = { stage: 'painted', witness: 'app' } as const;

const follow =
  'Set both when the host context comes and when it changes: document.documentElement.lang = hostContext.locale; document.documentElement.dir = "rtl";';

const toUnsaid = (locale: string): DoctorFinding => ({
  ...shared,
  code: 'language-unsaid',
  severity: 'note',
  message: `The document does not say in which language it is, though the app was told the locale ${locale}: screen readers, spelling and translation have to guess.`,
  fix: 'Write the language of the text: <html lang="en">. An app in several languages sets it when the host context comes: document.documentElement.lang = hostContext.locale;',
  path: '<html lang>',
});

/** A document against the language it names itself. */
const toContradiction = (lang: string, wanted: Direction, dir: Direction): DoctorFinding => ({
  ...shared,
  code: 'direction-unlike-language',
  severity: 'warning',
  message: `The document says that its language is ${lang}, which is written ${words[wanted]}, and it is laid out ${words[dir]}.`,
  fix: `Write the direction beside the language: <html lang="${lang}" dir="${wanted}">.`,
  path: '<html dir>',
});

/** A document that stays as it is where the locale is written from right to left; right for an app in one language alone. */
const toUnlikeLocale = (locale: string, lang: string): DoctorFinding => ({
  ...shared,
  code: 'direction-unlike-locale',
  severity: lang === '' ? 'warning' : 'note',
  message: `The app was told the locale ${locale}, which is written from right to left, and its document is laid out from left to right${lang === '' ? '' : `, in the language it names (${lang})`}.`,
  fix: lang === '' ? follow : `If the app is in that language alone, all is well. Otherwise: ${follow}`,
  path: '<html dir>',
});

type Layout = Extract<AppEvidence, { kind: 'layout' }>;

/** Whether a document that is settled is written as the language and the locale say; what it is said to be comes from its page. */
export const findLanguageFindings = (
  { hostContext, times }: Pick<AppFacts, 'hostContext' | 'times'>,
  { items }: EvidenceLog,
  now = 0,
): DoctorFinding[] => {
  const layout = items.findLast((item): item is Layout => item.kind === 'layout');
  const { lang: named, dir } = layout ?? {};
  const told = hostContext?.locale ?? '';
  // An app is told the locale in the handshake, and needs a moment to follow.
  const isSettled = times?.ready !== undefined && Math.max(layout?.at ?? 0, now) >= times.ready + settledMs;
  if (!isSettled || named === undefined || dir === undefined || told === '') return [];
  const lang = toPrintable(named.trim(), 40);
  const locale = toPrintable(told, 40);
  const own = toDirection(lang);
  const contradicts = own !== undefined && own !== dir;
  const isUnlike = !contradicts && dir === 'ltr' && toDirection(told) === 'rtl';
  return [
    ...(contradicts ? [toContradiction(lang, own, dir)] : []),
    ...(isUnlike ? [toUnlikeLocale(locale, lang)] : []),
    ...(lang === '' ? [toUnsaid(locale)] : []),
  ];
};

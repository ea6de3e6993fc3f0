/** What a page of the bench is told by its server. */
interface BenchSettings {
  readonly html: string;
  readonly relayUrl: string;
  readonly sandboxBase: string;
  readonly frameAttributes: Readonly<Record<string, string>>;
}

declare global {
  interface Window {
    benchSettings: BenchSettings;
  }
}

export {};

// Every setting of `serve`, once: flag, environment variable, default, meaning. The command line, the environment
// reader and the settings table in docs/settings.md use this list.

import { dataDirectory } from "./assets.ts";
import { Failure } from "../kernel/errors.ts";
import { LOG_LEVELS, type LogFormat, type LogLevel } from "../kernel/log.ts";

export interface Settings {
  host: string;
  port: number;
  dataDir: string;
  baseUrl: string | null;
  rateLimitRead: number;
  rateLimitWrite: number;
  rateLimitScrape: number;
  userAgentPolicy: "strict" | "off";
  allowHost: string[];
  allowRemote: boolean;
  scrapePrivateNetwork: "allow" | "deny";
  oidcIssuer: string | null;
  modelsDir: string | null;
  languages: "auto" | "english" | "all";
  embedUrl: string | null;
  embedModel: string | null;
  embedKey: string | null;
  llmUrl: string | null;
  llmModel: string | null;
  llmKey: string | null;
  vectorEngine: "auto" | "javascript";
  metrics: boolean;
  replicated: boolean;
  watch: boolean;
  follow: string | null;
  activityLog: "on" | "off";
  logLevel: LogLevel;
  /** Null: `text` on a terminal, otherwise `json`. */
  logFormat: LogFormat | null;
}

export interface Setting {
  /**
   * Name in Settings. The flag is the name in kebab case; the variable is CTXREPO_ and the name in upper snake case.
   */
  name: keyof Settings;
  /** Placeholder of the value in help texts; absent for a switch. */
  value?: string;
  default: string;
  meaning: string;
  parse(text: string): unknown;
  /** The values, if there are few. */
  choices?: readonly string[];
  repeatable?: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string) => LOOPBACK.test(host);

const text = (value: string) => value;

function choiceOf(choices: readonly string[]): Pick<Setting, "choices" | "parse"> {
  return {
    choices,
    parse(value) {
      if (choices.includes(value)) return value;
      throw new Failure("bad-request", `must be one of ${choices.join(", ")}`);
    },
  };
}

function wholeNumber(minimum: number, maximum: number) {
  return (value: string): number => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= minimum && number <= maximum)) {
      throw new Failure("bad-request", `must be a whole number from ${minimum} to ${maximum}`);
    }
    return number;
  };
}

function switchValue(value: string): boolean {
  if (value === "true" || value === "1" || value === "") return true;
  if (value === "false" || value === "0") return false;
  throw new Failure("bad-request", "must be true or false");
}

function nonBlank(value: string): string {
  if (value.trim() === "") throw new Failure("bad-request", "must not be blank");
  return value;
}

/** Text that is valid in an HTTP header. */
function headerText(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new Failure("bad-request", "must be printable ASCII characters without spaces");
  return value;
}

function baseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isValid =
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (!isValid) throw new Failure("bad-request", "must be an http or https URL without query or fragment");
  return value.replace(/\/+$/, "");
}

/**
 * An issuer as it is compared. Its keys decide who is authenticated: they must be fetched over https, except from this
 * machine.
 */
export function issuerUrl(value: string): string {
  const issuer = baseUrl(value);
  const { protocol, hostname } = new URL(issuer);
  if (protocol === "http:" && !isLoopback(hostname)) throw new Failure("bad-request", "must be an https URL");
  return issuer;
}

/** A name of a host as it appears in a Host header. */
function hostName(value: string): string {
  if (value !== "" && !/^(\[[0-9a-f:.]+\]|[^\s:/@[\]\\?#]+)(:\d{1,5})?$/i.test(value)) {
    throw new Failure("bad-request", "must be NAME or NAME:PORT, without http://");
  }
  return value;
}

export const SETTINGS: readonly Setting[] = [
  { name: "host", value: "ADDRESS", default: "127.0.0.1", meaning: "address to listen on", parse: text },
  {
    name: "port",
    value: "PORT",
    default: "4817",
    meaning: "port to listen on; 0 selects any free port",
    parse: wholeNumber(0, 65535),
  },
  {
    name: "dataDir",
    value: "DIR",
    default: "the platform's user data directory + `/ctxrepo`",
    meaning: "directory of the database `ctxrepo.db`",
    parse: text,
  },
  {
    name: "baseUrl",
    value: "URL",
    default: "`http://HOST:PORT`",
    meaning: "URL at which clients reach the server",
    parse: baseUrl,
  },
  ...(["Read", "Write", "Scrape"] as const).map(
    (tier): Setting => ({
      name: `rateLimit${tier}`,
      value: "N",
      default: { Read: "120", Write: "100", Scrape: "10" }[tier],
      meaning: `${{ Read: "GET requests", Write: "other requests", Scrape: "scrape and refresh requests" }[tier]} per minute and user; 0 means no limit`,
      parse: wholeNumber(0, 1_000_000),
    }),
  ),
  {
    name: "userAgentPolicy",
    value: "POLICY",
    default: "strict",
    meaning:
      "`strict` rejects a missing User-Agent and the default ones of HTTP libraries; `off` accepts any",
    ...choiceOf(["strict", "off"]),
  },
  {
    name: "allowHost",
    value: "NAME",
    default: "none",
    meaning:
      "additional `NAME[:PORT]` to accept in the Host header; repeatable (in the variable: separated by commas)",
    parse: hostName,
    repeatable: true,
  },
  {
    name: "allowRemote",
    default: "off",
    meaning: "allows `--host` to be an address that other machines can reach",
    parse: switchValue,
  },
  {
    name: "scrapePrivateNetwork",
    value: "CHOICE",
    default: "deny",
    meaning:
      "`allow` lets scrape and refresh connect to this machine and to private networks; never to cloud metadata",
    ...choiceOf(["allow", "deny"]),
  },
  {
    name: "oidcIssuer",
    value: "URL",
    default: "none",
    meaning: "also accept tokens of this OpenID Connect issuer; its keys are fetched from there",
    parse: issuerUrl,
  },
  {
    name: "modelsDir",
    value: "DIR",
    default: "the included model",
    meaning: "directory of another embedding model (ONNX, in the layout of transformers.js)",
    parse: text,
  },
  {
    name: "languages",
    value: "CHOICE",
    default: "auto",
    meaning:
      "which included models embed: `english` the English one, `all` also the multilingual one, `auto` that from the first record or query on that is not English",
    ...choiceOf(["auto", "english", "all"]),
  },
  {
    name: "embedUrl",
    value: "URL",
    default: "none",
    meaning:
      "OpenAI-compatible server whose model embeds instead of the included ones; requires `--embed-model`",
    parse: baseUrl,
  },
  {
    name: "embedModel",
    value: "NAME",
    default: "none",
    meaning: "name of the model on that server; requires `--embed-url`",
    parse: nonBlank,
  },
  {
    name: "embedKey",
    value: "KEY",
    default: "none",
    meaning: "API key for that server; prefer the variable: other users of the machine can see command lines",
    parse: headerText,
  },
  {
    name: "llmUrl",
    value: "URL",
    default: "none",
    meaning:
      "OpenAI-compatible server that writes the answers of `POST /v1/reason` and runs prompts in the console; requires `--llm-model`",
    parse: baseUrl,
  },
  {
    name: "llmModel",
    value: "NAME",
    default: "none",
    meaning: "name of the model on that server; requires `--llm-url`",
    parse: nonBlank,
  },
  {
    name: "llmKey",
    value: "KEY",
    default: "none",
    meaning: "API key for that server; prefer the variable: other users of the machine can see command lines",
    parse: headerText,
  },
  {
    name: "vectorEngine",
    value: "ENGINE",
    default: "auto",
    meaning: "`auto` uses sqlite-vec if it can be loaded; `javascript` never does; the results are the same",
    ...choiceOf(["auto", "javascript"]),
  },
  {
    name: "metrics",
    default: "off",
    meaning: "serves `GET /metrics` for Prometheus",
    parse: switchValue,
  },
  {
    name: "replicated",
    default: "off",
    meaning: "leaves checkpoints of the write-ahead log to a replication tool such as Litestream",
    parse: switchValue,
  },
  {
    name: "watch",
    default: "off",
    meaning: "imports what changes in the folders that `ctxrepo import` and `ctxrepo folders add` remember",
    parse: switchValue,
  },
  {
    name: "follow",
    value: "NAME",
    default: "none",
    meaning: "be a read-only twin of this remote, which is pulled every minute",
    parse: nonBlank,
  },
  {
    name: "activityLog",
    value: "CHOICE",
    default: "on",
    meaning:
      "whether reads, searches and questions of agents are recorded in the database for the console, for 30 days; `off` deletes the record",
    ...choiceOf(["on", "off"]),
  },
  {
    name: "logLevel",
    value: "LEVEL",
    default: "info",
    meaning: `lowest severity to log: ${LOG_LEVELS.map((level) => `\`${level}\``).join(", ")}`,
    ...choiceOf(LOG_LEVELS),
  },
  {
    name: "logFormat",
    value: "FORMAT",
    default: "`text` on a terminal, otherwise `json`",
    meaning: "format of the log lines on stderr",
    ...choiceOf(["text", "json"]),
  },
];

/** The flag of a setting: `--data-dir`. */
export const flagOf = ({ name }: Setting) =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
/** The environment variable of a setting: `CTXREPO_DATA_DIR`. */
export const variableOf = ({ name }: Setting) =>
  `CTXREPO_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/**
 * Reads the settings from flags (unparsed), the environment and the defaults; a flag overrides its variable.
 * Throws `bad-request` naming the invalid flag or variable.
 */
export function readSettings(
  flags: Partial<Record<keyof Settings, string | boolean | string[]>>,
  environment: Record<string, string | undefined>,
): Settings {
  const settings: Record<string, unknown> = {
    baseUrl: null,
    oidcIssuer: null,
    modelsDir: null,
    embedUrl: null,
    embedModel: null,
    embedKey: null,
    llmUrl: null,
    llmModel: null,
    llmKey: null,
    logFormat: null,
    metrics: false,
    replicated: false,
    watch: false,
    follow: null,
    allowHost: [],
    allowRemote: false,
    dataDir: dataDirectory(environment),
  };
  for (const setting of SETTINGS) {
    const flag = flags[setting.name];
    const variable = environment[variableOf(setting)];
    const [given, origin] = flag !== undefined ? [flag, flagOf(setting)] : [variable, variableOf(setting)];
    const fallback = settings[setting.name] === undefined ? setting.default : undefined;
    const value = given ?? fallback;
    if (value === undefined) continue;
    try {
      if (setting.repeatable) {
        const list = Array.isArray(value) ? value : String(value).split(",");
        settings[setting.name] = list
          .map((entry) => setting.parse(entry.trim()))
          .filter((entry) => entry !== "");
      } else {
        settings[setting.name] = setting.parse(String(value));
      }
    } catch (error) {
      if (error instanceof Failure) throw new Failure("bad-request", `${origin} ${error.message}`);
      throw error;
    }
  }
  return checked(settings as unknown as Settings);
}

function checked(settings: Settings): Settings {
  if (!isLoopback(settings.host) && !settings.allowRemote) {
    throw new Failure(
      "bad-request",
      `--host ${settings.host} is not a loopback address: other machines could reach the server. Add --allow-remote to allow this.`,
    );
  }
  if ((settings.embedUrl === null) !== (settings.embedModel === null)) {
    throw new Failure("bad-request", "--embed-url and --embed-model must be used together");
  }
  if (settings.embedUrl !== null && settings.modelsDir !== null) {
    throw new Failure("bad-request", "--embed-url and --models-dir cannot be used together");
  }
  if ((settings.llmUrl === null) !== (settings.llmModel === null)) {
    throw new Failure("bad-request", "--llm-url and --llm-model must be used together");
  }
  return settings;
}

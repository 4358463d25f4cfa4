// ctxrepo service print: prints the file with which systemd or launchd starts the server at login and restarts it after
// a crash. It names this executable and the data directory by absolute paths.

import { homedir } from "node:os";
import { resolve } from "node:path";
import { Argument, Command } from "commander";
import { cacheDirectory } from "../base/assets.ts";
import { shellQuoted } from "./completion/tree.ts";
import { type DataDirOption, withDataDir, withIgnoredUser } from "./data-dir.ts";
import { print, printJson } from "./output.ts";

interface Service {
  /** The executable and its arguments. */
  command: string[];
  dataDir: string;
  cacheDir: string;
  home: string;
}

const KINDS: Record<string, (service: Service) => string> = { systemd: systemdUnit, launchd: launchdPlist };

export function serviceCommand(): Command {
  return new Command("service").description("run the server as a service").addCommand(
    withIgnoredUser(withDataDir(new Command("print")))
      .description("print the service file of systemd (for a user) or launchd (an agent)")
      .addArgument(new Argument("<KIND>", "the service manager").choices(Object.keys(KINDS)))
      .option("--json", "print a JSON object with kind and content")
      .action((kind: string, { dataDir, json }: DataDirOption & { json?: true }) => {
        const program = Bun.isStandaloneExecutable
          ? [process.execPath]
          : [process.execPath, resolve(import.meta.dir, "../main.ts")];
        const service = {
          command: [...program, "serve", "--data-dir", resolve(dataDir)],
          dataDir: resolve(dataDir),
          cacheDir: cacheDirectory(process.env),
          home: homedir(),
        };
        const content = KINDS[kind]!(service);
        if (json) printJson({ kind, content });
        else print(content);
      }),
  );
}

/** A unit for `systemctl --user` with the paths of this user. */
function systemdUnit({ command, dataDir, cacheDir }: Service): string {
  const keys = [...command.slice(0, -3).map(shellQuoted), "keys create --data-dir", shellQuoted(dataDir)];
  return unit({
    comment: `# Before the first start, so that the folders exist and the first key is not printed into the journal:
#   mkdir -p -m 700 ${shellQuoted(cacheDir)} && ${keys.join(" ")}
# Store this file as ~/.config/systemd/user/ctxrepo.service, then:
#   systemctl --user daemon-reload && systemctl --user enable --now ctxrepo`,
    start: command.map((word) => systemdQuoted(word).replaceAll("$", "$$$$")).join(" "),
    writable: `${systemdQuoted(dataDir)} ${systemdQuoted(cacheDir)}`,
  });
}

/** The unit of a package that installs /usr/bin/ctxrepo for all users; each enables it for itself. */
export function packagedUnit(): string {
  return unit({
    comment: `# Before the first start, so that the first key is not printed into the journal: ctxrepo keys create
# Then: systemctl --user enable --now ctxrepo`,
    start: "/usr/bin/ctxrepo serve",
    // The folders of data and cache need not exist yet.
    writable: "%h",
  });
}

/** A unit without the options that need privileges which a user's manager does not have. */
function unit({ comment, start, writable }: { comment: string; start: string; writable: string }): string {
  return `${comment}
# Change settings with systemctl --user edit ctxrepo, for example Environment=CTXREPO_PORT=5000 in [Service].
[Unit]
Description=ctxrepo, a local Context Repository

[Service]
Type=exec
ExecStart=${start}
Restart=on-failure
RestartSec=2
TimeoutStopSec=30
UMask=0077
RuntimeDirectory=ctxrepo
RuntimeDirectoryMode=0700
RuntimeDirectoryPreserve=yes
# A user's service manager can only protect files in a user namespace.
PrivateUsers=yes
ProtectSystem=strict
ReadWritePaths=${writable}
PrivateTmp=yes
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native

[Install]
WantedBy=default.target`;
}

/** A property list for `launchctl`. */
function launchdPlist({ command, home }: Service): string {
  const strings = command.map((word) => `    <string>${xmlEscaped(word)}</string>`).join("\n");
  const log = xmlEscaped(`${home}/Library/Logs/ctxrepo.log`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Run ctxrepo keys create first, so that the first key is not printed into the log. Store this file as
     ~/Library/LaunchAgents/ctxrepo.plist, then: launchctl bootstrap gui/$UID ~/Library/LaunchAgents/ctxrepo.plist -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>ctxrepo</string>
  <key>ProgramArguments</key>
  <array>
${strings}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardErrorPath</key>
  <string>${log}</string>
</dict>
</plist>`;
}

/** A word of a unit file; `%` starts a specifier of systemd. */
function systemdQuoted(word: string): string {
  return `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
}

function xmlEscaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

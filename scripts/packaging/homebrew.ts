// A formula for Homebrew on macOS and Linux.

import type { Download, Downloads } from "./downloads.ts";
import { SHARED_PATHS } from "./shared-files.ts";

/** Homebrew's names of the systems and processors of targets. */
const SYSTEMS = { darwin: "macos", linux: "linux" } as const;
const PROCESSORS = { arm64: "arm", x64: "intel" } as const;

/** The formula as Ruby text. Without an address it takes the archives from its own folder. */
export function homebrewFormula({ version, address, archives }: Downloads): string {
  const blocks = Object.entries(SYSTEMS).flatMap(([os, name]) => {
    const ofSystem = archives.filter(({ target: { npm } }) => npm.os === os && npm.libc !== "musl");
    return ofSystem.length === 0 ? [] : `  on_${name} do\n${ofSystem.map(processorBlock).join("")}  end\n`;
  });
  const base = address === "" ? '"file://#{__dir__}"' : `"${address}"`;
  return `# frozen_string_literal: true

class Ctxrepo < Formula
  DOWNLOADS = ${base}

  desc "Context Repository in one file: prompts and documents for AI agents"
  homepage DOWNLOADS
  version "${version}"
  license "MIT"

${blocks.join("\n")}
  def install
    bin.install "ctxrepo"
    # The executable for Intel Macs has the signature of the Bun runtime, which is not valid for the larger file.
    system "codesign", "--force", "--sign", "-", bin/"ctxrepo" if OS.mac? && Hardware::CPU.intel?
    bash_completion.install "${SHARED_PATHS.bash}"
    zsh_completion.install "${SHARED_PATHS.zsh}"
    fish_completion.install "${SHARED_PATHS.fish}"
    man1.install "${SHARED_PATHS.manual}"
  end

  service do
    run [opt_bin/"ctxrepo", "serve"]
    keep_alive crashed: true
    error_log_path var/"log/ctxrepo.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/ctxrepo --version")
  end
end
`;
}

function processorBlock({ target, file, sha256 }: Download): string {
  return `    on_${PROCESSORS[target.npm.cpu]} do
      url "#{DOWNLOADS}/${file}"
      sha256 "${sha256}"
    end
`;
}

/// The complete environment of `git`.
extension Git {
    func environment() throws -> [String: String] {
        // An empty variable counts as unset, as on the command line; `git` would read it as “no proxy”.
        var variables = surroundings.filter { Self.passedOn.contains($0.key) && !$0.value.isEmpty }
        if let authority = credential?.authority { variables["GIT_SSL_CAINFO"] = authority }
        variables["PATH"] = Self.path
        variables["HOME"] = "/nonexistent"
        variables["LC_ALL"] = "C"
        variables["GIT_CONFIG_NOSYSTEM"] = "1"
        variables["GIT_CONFIG_SYSTEM"] = "/dev/null"
        variables["GIT_CONFIG_GLOBAL"] = "/dev/null"
        variables["GIT_ATTR_NOSYSTEM"] = "1"
        variables["GIT_ALLOW_PROTOCOL"] = allowsFiles ? "https:ssh:file" : "https:ssh"
        variables["GIT_PROTOCOL_FROM_USER"] = "0"
        variables["GIT_TERMINAL_PROMPT"] = "0"
        variables["GIT_OPTIONAL_LOCKS"] = "0"
        // Otherwise `log` and `rev-list` write each commit to a pipe by itself.
        variables["GIT_FLUSH"] = "0"
        variables["GIT_NO_REPLACE_OBJECTS"] = "1"
        variables["GIT_LFS_SKIP_SMUDGE"] = "1"
        variables["GIT_PAGER"] = "cat"
        variables["GIT_EDITOR"] = "false"
        variables["GIT_ASKPASS"] = "false"
        variables["SSH_ASKPASS"] = "false"
        variables["GIT_SSH_VARIANT"] = "ssh"
        variables["GIT_SSH_COMMAND"] =
            (credential?.sshCommand ?? GitCredential.plainSSHCommand) + sshOptions
        let settings =
            settings + routeSettings.map { ($0.key, $0.value) } + (credential?.settings ?? [])
            + overriding
        variables["GIT_CONFIG_COUNT"] = String(settings.count)
        for (index, setting) in settings.enumerated() {
            variables["GIT_CONFIG_KEY_\(index)"] = setting.key
            variables["GIT_CONFIG_VALUE_\(index)"] = setting.value
        }
        return variables
    }

    /// Settings on the command line, which override those of the repository.
    private var settings: [(key: String, value: String)] {
        var settings = [
            // Programs that a repository's configuration could name.
            ("core.hooksPath", "/dev/null"), ("core.fsmonitor", "false"),
            ("core.attributesFile", "/dev/null"), ("core.excludesFile", "/dev/null"),
            ("core.pager", "cat"), ("core.gitProxy", ""), ("core.askPass", "false"),
            ("credential.helper", ""), ("log.showSignature", "false"),
            ("gpg.program", "false"), ("protocol.ext.allow", "never"),
            ("filter.lfs.smudge", ""), ("filter.lfs.process", ""), ("filter.lfs.clean", ""),
            ("filter.lfs.required", "false"), ("submodule.recurse", "false"),
            ("fetch.recurseSubmodules", "false"),
            // Background work that would outlive the command.
            ("gc.auto", "0"), ("maintenance.auto", "false"), ("gc.autoDetach", "false"),
            // Objects from the network are checked before they are kept. Three faults are ignored, because
            // they are common in old repositories and harmless.
            ("transfer.fsckObjects", "true"), ("fetch.fsckObjects", "true"),
            ("fetch.fsck.zeroPaddedFilemode", "ignore"), ("fetch.fsck.badTimezone", "ignore"),
            ("fetch.fsck.missingSpaceBeforeDate", "ignore"),
            // A redirect could lead to an address that was not checked, even on the same host.
            ("http.followRedirects", "false"),
            ("http.lowSpeedLimit", "1000"), ("http.lowSpeedTime", "60"),
            ("core.symlinks", makesSymbolicLinks ? "true" : "false"),
            ("core.quotePath", "false"), ("color.ui", "false"), ("advice.detachedHead", "false"),
        ]
        if trustsDirectory { settings.append(("safe.directory", "*")) }
        return settings
    }

    private static let passedOn: Set = [
        "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy",
        "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "SYSTEMROOT", "TMPDIR",
    ]
}

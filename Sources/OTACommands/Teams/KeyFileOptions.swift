import Administration
import ArgumentParser
import Store

/// The file with the key that seals identities.
struct KeyFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The file with the key that private keys are sealed with, outside the store (or \
            OTA_KEY_FILE, or the systemd credential ota-key).
            """,
            valueName: "file",
        )
    )
    var keyFile: String?

    func validate() throws {
        guard keyFile?.isEmpty != true else {
            throw ValidationError("--key-file is empty: give a path, or leave it out")
        }
    }

    /// Nil if no option or variable names one.
    func file(in context: CommandContext) -> SealingKeyFile? {
        SealingKeyFile(option: keyFile, environment: context.environment)
    }
}

extension CommandTarget {
    /// The same target with the key file of this machine; a server has its own.
    func sealing(with file: SealingKeyFile?) -> CommandTarget {
        guard case .store(var local) = self else { return self }
        local.keyFile = file
        return .store(local)
    }
}

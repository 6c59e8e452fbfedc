import Administration
import AppleDeveloper
import ArgumentParser
import HTTPCalling
import TeamUpkeep

/// How to reach App Store Connect.
struct AppleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The URL of the App Store Connect API, for tests; default: Apple's own.
            """,
            valueName: "url",
        )
    )
    var appleURL: String?

    @Option(
        name: .customLong("apple-ca-file"),
        help: ArgumentHelp(
            """
            A PEM file with an additional authority for TLS to App Store Connect, such as that of a \
            proxy. May be repeated.
            """,
            valueName: "file",
        ),
    )
    var appleAuthorities: [String] = []

    /// - Throws: `MalformedEndpoint`, and ``Problem`` for a file without certificates.
    func connection() throws -> AppleConnection {
        AppleConnection(
            endpoint: try appleURL.map { try AppleEndpoint($0) } ?? .apple,
            authorities: try appleAuthorities.flatMap { try AnchorOptions.certificates(in: $0) },
        )
    }
}

extension CommandTarget {
    /// The same target, which sends requests to Apple from this machine with its key file; a server does
    /// that itself.
    ///
    /// - Throws: `AppleFailure` for an authority that TLS cannot use.
    func reaching(_ apple: AppleConnection) throws -> CommandTarget {
        guard case .store(var local) = self else { return self }
        local.accounts = AccountOpener(
            local.admin.store,
            openingWith: local.keyFile,
            at: apple.endpoint,
            through: try apple.transport(),
            timing: .real(local.admin.clock),
        )
        return .store(local)
    }
}

/// The argument and options of every command on a team's developer account.
struct NamedAccount: ParsableArguments {
    @Argument(help: "The team, by identifier.")
    var team: String

    @OptionGroup var keyOptions: KeyFileOptions
    @OptionGroup var appleOptions: AppleOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if target.server != nil { try requireNothingLocal() }
    }

    func open(in context: CommandContext) throws -> CommandTarget {
        let opened = try target.open(in: context)
        if case .server = opened { try requireNothingLocal() }
        return try opened.sealing(with: keyOptions.file(in: context))
            .reaching(appleOptions.connection())
    }

    /// Refuses options for how this machine reaches Apple, which do not apply to a server.
    private func requireNothingLocal() throws {
        let given = [
            ("--key-file", keyOptions.keyFile != nil),
            ("--apple-url", appleOptions.appleURL != nil),
            ("--apple-ca-file", !appleOptions.appleAuthorities.isEmpty),
        ]
        guard let option = given.first(where: \.1)?.0 else { return }
        throw ValidationError(
            "\(option) cannot be used with a server, which has its own"
        )
    }
}

package import Essentials
package import Signing

/// Signs the app of an archive with a team's identity, and everything inside it.
///
/// Who holds the private key is the implementation's matter: the product hands it to a child process
/// that has no network.
package protocol BuildSigner: Sendable {
    /// Writes the signed archive of a build.
    ///
    /// - Parameter work: what is signed, with what, and where the result goes; that file is there only
    ///   when it is whole, and what was there before is replaced.
    /// - Throws: a `ReportableError`; nothing was written then.
    func sign(_ work: SigningWork) async throws
}

/// What a ``BuildSigner`` is asked to do.
package struct SigningWork: Sendable {
    /// An IPA; absolute.
    package let input: String
    /// The IPA that is written; absolute.
    package let output: String
    /// Whose identity signs.
    package let team: String
    /// One for each bundle that needs one.
    package let profiles: [SigningProfile]
    /// Property lists of what bundles claim, in place of what their old signatures say, by bundle
    /// identifier.
    package var entitlements: [String: [UInt8]]
    /// The signing time: equal work makes equal bytes.
    package let date: Date
    /// Gets the parts that are done and all parts, on another thread.
    package var progress: @Sendable (Int, Int) -> Void = { _, _ in }

    package init(
        _ input: String,
        to output: String,
        team: String,
        profiles: [SigningProfile],
        entitlements: [String: [UInt8]] = [:],
        at date: Date,
    ) {
        self.input = input
        self.output = output
        self.team = team
        self.profiles = profiles
        self.entitlements = entitlements
        self.date = date
    }
}

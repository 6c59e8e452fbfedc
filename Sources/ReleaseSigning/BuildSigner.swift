package import Essentials
package import Signing

/// Signs the app in an archive, with all code inside it, with a team's identity.
///
/// The implementation decides where the private key is used: the server passes it to a child process
/// without network access.
package protocol BuildSigner: Sendable {
    /// Writes the signed archive of a build.
    ///
    /// - Parameter work: the input, the profiles and the output file, which is replaced atomically.
    /// - Throws: a `ReportableError`; then nothing was written.
    func sign(_ work: SigningWork) async throws
}

/// The task of a ``BuildSigner``.
package struct SigningWork: Sendable {
    /// The IPA to sign; an absolute path.
    package let input: String
    /// The IPA to write; an absolute path.
    package let output: String
    /// The team whose identity signs.
    package let team: String
    /// Profiles for all bundles that need one.
    package let profiles: [SigningProfile]
    /// Claims of bundles, instead of those in their old signatures, as property lists by bundle
    /// identifier.
    package var entitlements: [String: [UInt8]]
    /// The signing time; with an RSA key, equal tasks give equal bytes.
    package let date: Date
    /// Called on another thread with the number of completed parts, and the total.
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

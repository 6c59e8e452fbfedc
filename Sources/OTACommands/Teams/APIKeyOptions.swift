import APIDocuments
import ArgumentParser
import Foundation
import Problems

/// The API key of a team's developer account.
struct APIKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The team's key for the App Store Connect API: AuthKey_KEYID.p8, as it was downloaded.
            """,
            valueName: "file",
        )
    )
    var apiKey: String?

    @Option(help: "The key's issuer ID, a UUID shown above the list of keys in App Store Connect.")
    var issuer: String?

    @Option(help: "The key ID, if it is not in the file's name.")
    var keyID: String?

    func validate() throws {
        guard apiKey != nil || (issuer == nil && keyID == nil) else {
            throw ValidationError("--issuer and --key-id need --api-key")
        }
        guard let apiKey else { return }
        guard issuer != nil else { throw ValidationError("--api-key needs --issuer") }
        guard keyID != nil || APIKeyUpload.keyID(inName: apiKey) != nil else {
            throw ValidationError(
                "the file's name does not contain the key ID, as in AuthKey_2X9R4HXF34.p8: give --key-id too"
            )
        }
    }

    /// The key for the request; nil if none is given.
    func upload() throws -> APIKeyUpload? {
        guard let apiKey, let issuer, let identifier = keyID ?? APIKeyUpload.keyID(inName: apiKey)
        else { return nil }
        return APIKeyUpload(
            issuer: issuer,
            keyID: identifier,
            key: try TextInput.read(apiKey, limit: 1 << 16),
        )
    }

    /// Runs `work`; if the key is refused, the error names its file.
    func naming<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            let problem = Problem(error)
            guard let apiKey, problem.id == "apple-key.malformed", problem.place.isEmpty else {
                throw error
            }
            throw Problem(
                id: problem.id,
                kind: problem.kind,
                message: problem.message,
                place: apiKey,
                fix: problem.fix,
                pageFix: problem.pageFix,
            )
        }
    }
}

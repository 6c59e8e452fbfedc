@testable import AppleDeveloper
import Cryptography
import Identifiers
import Problems
import TeamUpkeep

/// Values of the errors about a developer account at Apple.
extension ErrorSamples {
    func apple() -> [any ReportableError] {
        var all: [any ReportableError] = []
        all +=
            [
                .badIssuer("x"), .badIdentifier("x"), .unreadable(.noKeyInText),
                .wrongKind(.rsa(bits: 2048)), .withCertificate,
            ] as [APIKeyRefusal]
        all +=
            [
                .keyRefused, .clockDiffers(seconds: -90), .roleMissing, .agreementMissing,
                .rateLimited(seconds: 60), .unavailable(status: 502),
                .unreachable(reason: "connection refused"), .tooSlow(seconds: 90),
                .untrusted(reason: "its certificate is for another name"),
                .answerTooLarge(limit: 8_388_608), .unreadable(reason: "no JSON"), .foreignLink,
                .tooManyPages(limit: 100), .notFound(what: "profile"), .nameTaken("a"),
                .tooManyCertificates, .noSlotLeft, .badDevice, .noDevices, .wrongDeviceClass,
                .identifierTaken("com.example.app"), .notOurs(what: "profile", name: "a"),
                .refused(status: 409, code: "ENTITY_ERROR", said: "No"), .interrupted,
                .key(.damaged),
            ] as [AppleFailure]
        if let team = TeamIdentifier("ABCDE12345") {
            all +=
                [
                    .none(team), .noKeyFile, .notAgreed(team),
                    .otherTeam(team, "its App IDs are of “ABCDE67890”"),
                ] as [AccountRefusal]
        }
        all.append(MalformedEndpoint(text: "http://a.example"))
        return all
    }
}

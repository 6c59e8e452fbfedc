import Cryptography
import Foundation
import Identifiers
import Problems
import Releases
@testable import Store
import Testing
@testable import Versions

/// Values of every error that can reach a person, with every case of an enumeration.
struct ErrorSamples {
    let slug: Slug
    let tag: TagName
    let baseURL: BaseURL
    let release = ReleaseIdentifier(version: "1.2.3", build: "4")
    let digest = SHA256Digest(of: [])
    let document = DocumentName(known: "devices.json")
    let yaml = YAMLFlaw(line: 1, reason: "a quote has no end")
    let date = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        slug = try #require(Slug("browsey"))
        tag = try TagName("v1.2.3")
        baseURL = try BaseURL("https://ota.example.com")
    }

    func all() throws -> [any ReportableError] {
        try reading() + product() + serving() + apple() + objectStores()
    }

    /// Errors that never reach a person, and how each is handled.
    static let internalErrors = [
        "AppIsThere": "becomes AdministrationRefusal.appExists",
        "CallTrouble": "becomes the failure of who calls: ACMEFailure, AppleFailure or S3Failure",
        "BuildStop": "becomes the reason in the record of a build",
        "RefusedEntry": "carries the page that asks for a passphrase",
        "DeliveryRefusal": "becomes the outcome in the journal of a webhook",
        "NewerSchema": "becomes StoreFailure.newerSchema",
        "MailFailure": "becomes the outcome in the journal of a webhook",
        "Enough": "ends the reading of a file behind its headers",
        "Failure": "becomes the detail of an artifact of a build",
        "HandInFailure": "becomes the reason in the record of a build",
        "Invalid": "becomes a step of the simulated phone",
        "Malformed": "becomes a step of the simulated phone",
        "MalformedForm": "becomes Refusal.malformed",
        "NetworkFailure": "becomes a step of the simulated phone",
        "NotKept": "carries the error of a client's disk out of the exchange",
        "RefusedCapability": "becomes Refusal.notFound or Refusal.expiredInstall",
        "RefusedHead": "carries a RefusedRequest through the pipeline",
        "Silence": "becomes ServerFailure.tooSlow",
        "StoredBytesDamaged": "makes the server ask for the bytes again",
        "TooCostly": "becomes a finding",
        "TooManyFiles": "becomes the reason in the record of a build",
        "Unreadable": "becomes a step of the simulated phone",
        "Unusable": "becomes a step of the simulated phone",
    ]
}

@testable import AppleDeveloper
import Foundation
import Testing

/// Apple's refusals are distinguished.
struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        let code: String
        var detail = ""
        var pointer = ""
        let purpose: APIRequest.Purpose
        let failure: AppleFailure

        var testDescription: String { "\(status) \(code) \(detail) → \(failure.id)" }
    }

    static let cases = [
        Case(
            status: 403,
            code: "FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED",
            purpose: .readDevices,
            failure: .agreementMissing,
        ),
        Case(
            status: 403,
            code: "FORBIDDEN_ERROR",
            detail: "The API key in use does not allow this request",
            purpose: .registerDevice,
            failure: .roleMissing,
        ),
        Case(
            status: 403,
            code: "FORBIDDEN_ERROR",
            detail:
                "Your development team has reached the maximum number of registered iPhone devices.",
            purpose: .registerDevice,
            failure: .noSlotLeft,
        ),
        Case(
            status: 409,
            code: "ENTITY_ERROR",
            detail: "A device with number '00008110-000E49383CF8801E' already exists on this team.",
            purpose: .registerDevice,
            failure: .nameTaken("it"),
        ),
        Case(
            status: 409,
            code: "ENTITY_ERROR.ATTRIBUTE.INVALID",
            pointer: "/data/attributes/udid",
            purpose: .registerDevice,
            failure: .badDevice,
        ),
        Case(
            status: 409,
            code: "ENTITY_ERROR",
            detail: "Multiple profiles found with the name 'it'.  Please remove the duplicates.",
            purpose: .createProfile,
            failure: .nameTaken("it"),
        ),
        Case(
            status: 409,
            code: "ENTITY_ERROR",
            detail: "There are no current IOS devices on this team matching the provided IDs.",
            purpose: .createProfile,
            failure: .noDevices,
        ),
        Case(
            status: 409,
            code: "ENTITY_ERROR",
            detail: "There are no current certificates on this team matching the provided IDs.",
            purpose: .createProfile,
            failure: .notFound(what: "certificate"),
        ),
        Case(
            status: 409,
            code: "ENTITY_ERROR",
            detail: "There is no App ID with ID 'X' on this team.",
            purpose: .createProfile,
            failure: .notFound(what: "App ID"),
        ),
        Case(
            status: 409,
            code: "ENTITY_ERROR",
            detail: "Invalid deviceClass for profile type",
            purpose: .createProfile,
            failure: .wrongDeviceClass,
        ),
        Case(
            status: 409,
            code: "ENTITY_ERROR",
            detail:
                "You already have a current Distribution certificate or a pending certificate request.",
            purpose: .createCertificate,
            failure: .tooManyCertificates,
        ),
        Case(
            status: 409,
            code: "ENTITY_ERROR.ATTRIBUTE.INVALID",
            detail: "An App ID with Identifier 'it' is not available.",
            pointer: "/data/attributes/identifier",
            purpose: .registerBundleID,
            failure: .identifierTaken("it"),
        ),
        Case(
            status: 404,
            code: "NOT_FOUND",
            purpose: .deleteProfile,
            failure: .notFound(what: "profile"),
        ),
        Case(
            status: 504,
            code: "",
            purpose: .readProfiles,
            failure: .unavailable(status: 504),
        ),
        Case(
            status: 409,
            code: "ENTITY_ERROR.RELATIONSHIP.NOT_ALLOWED",
            detail: "Something new.",
            purpose: .createProfile,
            failure: .refused(
                status: 409,
                code: "ENTITY_ERROR.RELATIONSHIP.NOT_ALLOWED",
                said: "Something new",
            ),
        ),
    ]

    @Test(arguments: cases)
    func `a refusal becomes the failure that it means`(_ test: Case) {
        let body =
            #"{"errors": [{"id": "1", "status": "\#(test.status)", "code": "\#(test.code)", "#
            + #""title": "t", "detail": "\#(test.detail)", "source": {"pointer": "\#(test.pointer)"}}]}"#
        let found = AppleFailure(
            status: test.status,
            RefusalDocument(Array(body.utf8)),
            for: test.purpose,
            name: "it",
        )
        #expect(found == test.failure)
        #expect(!found.description.isEmpty && !found.fix.isEmpty)
        #expect(found.testerSentence.hasSuffix("."))
    }

    @Test func `what Apple says is masked, cut and one line`() throws {
        let udid = "00008110-000E49383CF8801E"
        let long = String(repeating: "x", count: 5000)
        let body =
            #"{"errors": [{"code": "A\nB", "detail": "device \#(udid) is odd"}, "#
            + #"{"detail": "\#(long)"}, 7]}"#
        // If one entry is no object, the whole document is invalid.
        #expect(RefusalDocument(Array(body.utf8)).entries.isEmpty)
        let readable = RefusalDocument(Array(body.replacing(", 7]", with: "]").utf8))
        let entry = try #require(readable.entries.first)
        #expect(entry.detail == "device (device) is odd")
        #expect(!entry.code.contains("\n"))
        #expect(readable.entries[1].detail.count <= 300)
    }

    @Test func `a token that a refusal repeats is not kept`() throws {
        let token = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJl-_"
        let body =
            #"{"errors": [{"code": "ENTITY_ERROR\#(token)", "detail": "Bearer \#(token) is odd", "#
            + #""source": {"pointer": "/data/\#(token)"}}, {"code": "\#(token)"}]}"#
        let entries = RefusalDocument(Array(body.utf8)).entries
        #expect(entries.map(\.code) == ["ENTITY_ERROR", ""])
        #expect(entries.first?.detail == "Bearer (token) is odd")
        #expect(entries.first?.pointer == "/data/(token)")
        let long = String(repeating: "A", count: 500)
        let other = RefusalDocument(Array(#"{"errors": [{"code": "\#(long)"}]}"#.utf8))
        #expect(other.entries.first?.code.utf8.count == 100)
    }

    @Test func `a page in place of a document has no entries`() {
        #expect(RefusalDocument(Array("<html>".utf8)).entries.isEmpty)
        #expect(RefusalDocument([]).entries.isEmpty)
    }
}

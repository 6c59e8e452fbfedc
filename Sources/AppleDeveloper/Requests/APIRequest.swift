import Bytes
import Essentials

/// A request to the App Store Connect API, without token and host.
struct APIRequest: Sendable, Equatable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The object and the action of the request, which determine the meaning of an error response.
    enum Purpose: Sendable, Equatable {
        case readDevices, registerDevice, changeDevice
        case readProfiles, createProfile, deleteProfile
        case readCertificates, createCertificate, revokeCertificate
        case readBundleIDs, registerBundleID
        case readCapabilities, enableCapability
    }

    let method: Method
    let purpose: Purpose
    /// The path with the percent-encoded query.
    let target: String
    /// JSON; nil for none.
    let body: [UInt8]?

    init(
        _ method: Method,
        _ purpose: Purpose,
        path: String,
        query: [(name: String, value: String)] = [],
        body: (any Encodable)? = nil,
    ) {
        self.method = method
        self.purpose = purpose
        let fields = query.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
        target = fields.isEmpty ? path : path + "?" + fields.joined(separator: "&")
        self.body = body.map(Self.json)
    }

    /// The request for the next page of a list.
    init(following page: APIRequest, target: String) {
        method = page.method
        purpose = page.purpose
        self.target = target
        body = nil
    }

    /// Whether the request is idempotent.
    var isRepeatable: Bool { method != .post }

    /// Percent-encodes everything but unreserved characters (RFC 3986 section 2.3) and the comma between
    /// values.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ","):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%" + Hex.encode([byte]).uppercased()
            }
        }
        return result
    }

    private static func json(_ value: any Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The bodies consist of strings, which can always be encoded as JSON.
        return [UInt8]((try? encoder.encode(value)) ?? Data())
    }
}

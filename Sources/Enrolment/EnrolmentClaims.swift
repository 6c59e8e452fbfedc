import Bundles
package import Identifiers
import PropertyLists

/// What an enrolment response claims about a device: well-formed, but not proven.
package struct EnrolmentClaims: Equatable, Sendable {
    package let udid: DeviceUDID
    package let product: ProductType
    /// A build such as `21E236`; at most 20 letters, digits and dots.
    package let version: String
    package let challenge: String
}

extension EnrolmentClaims {
    private static let longestValue = 1_024
    private static let mostKeys = 32

    /// Parses a flat dictionary of strings; unknown keys are ignored.
    init(reading content: [UInt8]) throws(EnrolmentRefusal) {
        let list: PropertyList
        do throws(MalformedPropertyList) {
            list = try PropertyList(reading: content, limits: .enrolment)
        } catch {
            throw .unreadable(error)
        }
        guard let dictionary = list.dictionary, dictionary.count <= Self.mostKeys else {
            throw .notFlat
        }
        let isFlat = dictionary.values.allSatisfy { value in
            value.string.map { $0.utf8.count <= Self.longestValue } ?? false
        }
        guard isFlat else { throw .notFlat }
        func text(_ field: EnrolmentRefusal.Field) throws(EnrolmentRefusal) -> String {
            guard let text = dictionary[field.rawValue]?.string else { throw .missing(field) }
            return text
        }
        challenge = try text(.challenge)
        guard let udid = DeviceUDID(try text(.udid)) else { throw .invalid(.udid) }
        guard let product = ProductType(try text(.product)) else { throw .invalid(.product) }
        let version = try text(.version)
        guard Self.isVersion(version) else { throw .invalid(.version) }
        self.udid = udid
        self.product = product
        self.version = version
    }

    private static func isVersion(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
    }
}

import Bytes
import Cryptography

/// UDIDs in the forms of real ones that belong to no device.
package enum SampleDevices {
    /// The device that sample profiles list first.
    package static let one = list(1)[0]

    /// A device that is in no sample profile.
    package static let unlisted = identifier(1_000_000)

    /// The first `count` of an endless list, which is always the same.
    package static func list(_ count: Int) -> [String] {
        (0..<count).map(identifier)
    }

    /// Every fifth but the first has the 40-digit form of devices before the iPhone XS; the others have the
    /// form since then.
    private static func identifier(_ number: Int) -> String {
        let digits = Hex.encode(DigestAlgorithm.sha256.digest(of: "sample device \(number)".utf8))
        guard !number.isMultiple(of: 5) || number == 0 else { return String(digits.prefix(40)) }
        let models = ["00008101", "00008110", "00008120", "00008130", "00008030"]
        return models[number % models.count] + "-" + digits.prefix(16).uppercased()
    }
}
